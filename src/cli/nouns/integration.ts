import { Argument, type Command, Option } from "commander";
import { type Topic, topics } from "../../webhooks/event.ts";
import { forBusiness, gather, parseTimeout, parseTopic, withUrl } from "../business-options.ts";
import { type DoctorOptions, doctorCommand } from "../commands/doctor/doctor.ts";
import { type LoginOptions, loginCommand, logoutCommand } from "../commands/login.ts";
import { type VerifyOptions, verifySignatureCommand } from "../commands/signature/verify.ts";
import { chargeStatuses } from "../commands/trigger/makers.ts";
import { type TriggerOptions, triggerCommand } from "../commands/trigger/trigger.ts";
import { parseAmount } from "../read-options.ts";
import { type Json, print, withJson } from "../run.ts";

/** For a business's developer: over HTTP, with its token. */
export function addIntegrationCommands(program: Command): void {
  withUrl(withJson(forBusiness(program.command("login"))))
    .description("Keep the company's token for these commands, in a file that you alone can read")
    .option("--token-stdin", "read it from standard input; a second line is the secret key")
    .addHelpText(
      "after",
      "\nThe token is asked for and not shown. `cauri login --token-stdin < .cauri/demo.json` takes both keys from JSON.",
    )
    .action(async (options: Json & LoginOptions) => print(options, await loginCommand(options)));
  withJson(forBusiness(program.command("logout")))
    .description("Forget the token that login has kept")
    .action(async (options: Json) => print(options, await logoutCommand()));
  withUrl(withJson(forBusiness(program.command("doctor"))))
    .description("Look at token, network, clock and webhooks, and say what to do")
    .action(async (options: Json & DoctorOptions) => print(options, await doctorCommand(options)));
  withUrl(withJson(forBusiness(program.command("trigger"))))
    .description("Make something happen in staging, and show the event that is told of it")
    .addArgument(new Argument("<topic>", topics.join(", ")).argParser(parseTopic))
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
  withJson(forBusiness(program.command("verify-signature")))
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
