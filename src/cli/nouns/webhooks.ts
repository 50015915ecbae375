import { Argument, type Command } from "commander";
import { type Topic, topics } from "../../webhooks/event.ts";
import { parsePageLimit, parseTopic, withExample, withLogin } from "../business-options.ts";
import { parseSince } from "../clock.ts";
import { createWebhookCommand } from "../commands/webhooks/create.ts";
import { deleteWebhookCommand } from "../commands/webhooks/delete.ts";
import { listDeliveriesCommand } from "../commands/webhooks/deliveries.ts";
import { listWebhooksCommand } from "../commands/webhooks/list.ts";
import { type ListenOptions, listenCommand } from "../commands/webhooks/listen.ts";
import { type RedeliverOptions, redeliverCommand } from "../commands/webhooks/redeliver.ts";
import type { PageOptions } from "../page-outcome.ts";
import type { ClientOptions } from "../read-client.ts";
import { parseCount, parseSequence, parseWebhookId } from "../read-options.ts";
import { type Json, print, withJson, withYes, type Yes } from "../run.ts";

export function addBusinessWebhookCommands(program: Command): void {
  const webhooks = program
    .command("webhooks")
    .description("Be told of events: addresses, what was sent to them, and events on this machine");
  addManaging(webhooks);
  addDeliveries(webhooks);
  withExample(
    withLogin(webhooks.command("listen")),
    "cauri webhooks listen --forward-to http://localhost:3000/hooks",
  )
    .description("Show events as they happen, and hand them on to a program on this machine")
    .option("--json", "print each event, and at the end how many there were, as a line of JSON")
    .option(
      "--forward-to <url>",
      "where to post them, signed with CAURI_SECRET_KEY like the real ones",
    )
    .option("--topics <names>", "only these, with commas between them")
    .option("--after <sequence>", "from this event on; from now on when absent", parseSequence)
    .option("--brand <name>", "in the names of headers; that of the service when absent")
    .action(async (options: ListenOptions) => print(options, await listenCommand(options)));
}

function addManaging(webhooks: Command): void {
  withExample(
    withLogin(withJson(webhooks.command("create"))),
    "cauri webhooks create transactions/completed https://shop.example/hooks",
  )
    .description("Register an address that is told of a topic from now on")
    .addArgument(
      new Argument("<topic>", "what to be told of").choices(topics).argParser(parseTopic),
    )
    .argument("<address>", "of your receiver; it answers 2xx")
    .action(async (topic: Topic, address: string, options: ClientOptions & Json) =>
      print(options, await createWebhookCommand(topic, address, options)),
    );
  withExample(withPage(withLogin(withJson(webhooks.command("list")))), "cauri webhooks list")
    .description("Addresses, newest first, and what they answered to their test event")
    .action(async (options: ClientOptions & PageOptions & Json) =>
      print(options, await listWebhooksCommand(options)),
    );
  withExample(
    withLogin(withYes(webhooks.command("delete"))),
    "cauri webhooks delete 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  )
    .description("Stop telling an address; shows it and asks first")
    .argument("<webhook>", "its id (see `webhooks list`)", parseWebhookId)
    .action(async (id: string, options: ClientOptions & Json & Yes) =>
      print(options, await deleteWebhookCommand(id, options)),
    );
}

function addDeliveries(webhooks: Command): void {
  withExample(
    withPage(withLogin(withJson(webhooks.command("deliveries")))),
    "cauri webhooks deliveries 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  )
    .description("What was sent to a webhook, newest first; why something waits, and until when")
    .argument("<webhook>", "its id (see `webhooks list`)", parseWebhookId)
    .action(async (id: string, options: ClientOptions & PageOptions & Json) =>
      print(options, await listDeliveriesCommand(id, options)),
    );
  withExample(
    withLogin(withYes(webhooks.command("redeliver"))),
    "cauri webhooks redeliver 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6 42",
    "cauri webhooks redeliver 019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6 --all --since 24h",
  )
    .description("Send a delivery again now, or with --all what has failed or waits")
    .argument("<webhook>", "its id (see `webhooks list`)", parseWebhookId)
    .argument("[delivery]", "its id (see `webhooks deliveries`)", parseDelivery)
    .option("--all", "everything that has failed or waits, in order; shows how many and asks first")
    .option("--since <moment>", "of --all: a day, a moment, or how long ago: 24h", parseSince)
    .action(async (id: string, delivery: string | undefined, options: Json & RedeliverOptions) =>
      print(options, await redeliverCommand(id, delivery, options)),
    );
}

function withPage(command: Command): Command {
  return command
    .option("--limit <count>", "how many, up to 100", parsePageLimit, 20)
    .option("--cursor <text>", "where the page before ended");
}

function parseDelivery(text: string): string {
  return String(parseCount(text));
}
