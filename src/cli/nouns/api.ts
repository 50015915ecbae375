import type { Command } from "commander";
import { gather, parseKey, withExample, withLogin } from "../business-options.ts";
import { type GetOptions, getCommand } from "../commands/api/get.ts";
import { type PostOptions, postCommand } from "../commands/api/post.ts";
import { print, withJson, withYes } from "../run.ts";

/** Any call of the API, also those that have no command. */
export function addApiCommands(program: Command): void {
  withExample(
    withLogin(withJson(program.command("get"))),
    "cauri get /v1/transactions -q status=failed -q limit=5",
    "cauri get /v1/company --json",
  )
    .description("Read anything of the API, and print what it answers")
    .argument("<path>", "such as /v1/balance; the reference is at /docs of the service")
    .option("-q, --query <name=value>", "a parameter; may be repeated", gather)
    .action(async (path: string, options: GetOptions) =>
      print(options, await getCommand(path, options)),
    );
  withExample(
    withLogin(withYes(program.command("post"))),
    `cauri post /v1/sub-companies -d '{"name":"Shop","logoUrl":"https://shop.example/logo.png"}'`,
    "cauri post /v1/transactions/batch -d @batch.json --idempotency-key november",
  )
    .description("Send anything to the API, and print what it answers; asks first in production")
    .argument("<path>", "such as /v1/transactions; the reference is at /docs of the service")
    .option("-d, --data <json>", "the body: JSON, @file, or - for standard input")
    .option(
      "--idempotency-key <text>",
      "the same key does it once; one is made and shown when absent",
      parseKey,
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 done; 1 refused; 4 not known: run it again with the --idempotency-key that is shown.",
    )
    .action(async (path: string, options: PostOptions) =>
      print(options, await postCommand(path, options)),
    );
}
