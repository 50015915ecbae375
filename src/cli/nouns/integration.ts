import { Argument, type Command, Option } from "commander";
import { type Topic, topics } from "../../webhooks/event.ts";
import {
  gather,
  parseTimeout,
  parseTopic,
  withExample,
  withLogin,
  withProfile,
} from "../business-options.ts";
import { type DoctorOptions, doctorCommand } from "../commands/doctor/doctor.ts";
import { type VerifyOptions, verifySignatureCommand } from "../commands/signature/verify.ts";
import { chargeStatuses } from "../commands/trigger/makers.ts";
import { type TriggerOptions, triggerCommand } from "../commands/trigger/trigger.ts";
import { parseAmount } from "../read-options.ts";
import { type Json, print, withJson } from "../run.ts";

/** For a business's developer: over HTTP, with its token. */
export function addIntegrationCommands(program: Command): void {
  withExample(withLogin(withJson(program.command("doctor"))), "cauri doctor")
    .description("Look at token, network, clock and webhooks, and say what to do")
    .action(async (options: Json & DoctorOptions) => print(options, await doctorCommand(options)));
  withExample(
    withLogin(withJson(program.command("trigger"))),
    "cauri trigger transactions/completed",
    "cauri trigger charge/events --status dropped",
  )
    .description("Make something happen in staging, and show the event that is told of it")
    .addArgument(new Argument("<topic>", "of the event").choices(topics).argParser(parseTopic))
    .addOption(
      new Option("--status <status>", "of charge/events: what becomes of the charge")
        .choices(chargeStatuses)
        .default("paid"),
    )
    .option("--amount <francs>", "instead of the smallest that the account may send", parseAmount)
    .option("--timeout <seconds>", "how long to wait for the event", parseTimeout, 60)
    .action(async (topic: Topic, options: Json & TriggerOptions) =>
      print(options, await triggerCommand(topic, options)),
    );
  withExample(
    withProfile(withJson(program.command("verify-signature"))),
    "cauri verify-signature body.json --headers headers.txt",
  )
    .description("Say whether a notification is the service's, and if not, why")
    .argument("[body-file]", "the raw body as it came; standard input when absent or -")
    .option("-H, --header <name: value>", "one of its headers; may be repeated", gather)
    .option("--headers <file>", "its headers, a line each (a recorded request will do)")
    .option("--signature <text>", "webhook-signature (v1,…), or x-service-hmac-sha256")
    .option("--timestamp <seconds>", "webhook-timestamp")
    .option("--id <text>", "webhook-id")
    .option("--secret-file <file>", "where the secret key is (or CAURI_SECRET_KEY, or login's)")
    .option("--any-age", "do not look at how long ago it was sent")
    .action(async (file: string | undefined, options: Json & VerifyOptions) =>
      print(options, await verifySignatureCommand(file, options)),
    );
}
