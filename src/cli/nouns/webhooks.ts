import type { Command } from "commander";
import { forBusiness, withUrl } from "../business-options.ts";
import { type ListenOptions, listenCommand } from "../commands/webhooks/listen.ts";
import { parseSequence } from "../read-options.ts";
import { print } from "../run.ts";

/** For a business's developer, like `payout`: over HTTP, with its token. */
export function addBusinessWebhookCommands(program: Command): void {
  const webhooks = forBusiness(program.command("webhooks")).description("Events on this machine");
  withUrl(webhooks.command("listen"))
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
