import type { Command } from "commander";
import { parseSince, parseUntil } from "../clock.ts";
import { listDeliveriesCommand } from "../commands/webhook/deliveries.ts";
import { enableWebhookCommand } from "../commands/webhook/enable.ts";
import { listWebhooksCommand } from "../commands/webhook/list.ts";
import { redeliverCommand } from "../commands/webhook/redeliver.ts";
import { type ReplayOptions, replayCommand } from "../commands/webhook/replay.ts";
import { parseCompanyId, parseCount, parseWebhookId } from "../read-options.ts";
import { type Json, run, withJson } from "../run.ts";

export function addWebhookCommands(program: Command): void {
  const webhook = program
    .command("webhook")
    .description("Notifications: what was sent, and sending it again");
  withJson(webhook.command("list").description("A company's webhooks"))
    .argument("<company>", "company id", parseCompanyId)
    .action((id: string, options: Json) =>
      run(options, (context) => listWebhooksCommand(context, id)),
    );
  withJson(webhook.command("deliveries").description("What was sent to a webhook, newest first"))
    .argument("<webhook>", "webhook id", parseWebhookId)
    .option("--limit <count>", "how many", parseCount, 20)
    .action((id: string, options: Json & { limit: number }) =>
      run(options, (context) => listDeliveriesCommand(context, id, options)),
    );
  withJson(webhook.command("redeliver").description("Send one delivery again"))
    .argument("<webhook>", "webhook id", parseWebhookId)
    .argument("<delivery>", "delivery id", parseCount)
    .action((id: string, delivery: number, options: Json) =>
      run(options, (context) => redeliverCommand(context, id, delivery)),
    );
  withJson(
    webhook
      .command("replay")
      .description("Send again everything of a range of time, in order, without a cap"),
  )
    .argument("<webhook>", "webhook id", parseWebhookId)
    .requiredOption("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--until <moment>", "the same; now when absent", parseUntil)
    .option("--failed", "only what never arrived")
    .action((id: string, options: Json & ReplayOptions) =>
      run(options, (context) => replayCommand(context, id, options)),
    );
  withJson(webhook.command("enable").description("Take a disabled webhook into service again"))
    .argument("<webhook>", "webhook id", parseWebhookId)
    .action((id: string, options: Json) =>
      run(options, (context) => enableWebhookCommand(context, id)),
    );
}
