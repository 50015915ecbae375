import type { Command } from "commander";
import { checkMasterKeyCommand } from "../commands/master-key/check.ts";
import { replaceMasterKeyCommand } from "../commands/master-key/replace.ts";
import { rotateMasterKeyCommand } from "../commands/master-key/rotate.ts";
import { type Json, run, withJson } from "../run.ts";

export function addMasterKeyCommands(program: Command): void {
  const masterKey = program
    .command("master-key")
    .description("The key that the secret keys of all companies are sealed with");
  withJson(
    masterKey
      .command("check")
      .description("Try it on every secret; exit 1 with what it does not open"),
  ).action((options: Json) => run(options, checkMasterKeyCommand));
  withJson(
    masterKey
      .command("rotate")
      .description("Seal everything with a new one; run again, it goes on where it was stopped"),
  ).action((options: Json) => run(options, rotateMasterKeyCommand));
  withJson(
    masterKey
      .command("replace")
      .description("When it is lost: new signing secrets for those that nothing opens any more"),
  )
    .option("--yes", "do it; without this it only tells what it would do")
    .action((options: Json & { yes?: boolean }) =>
      run(options, (context) => replaceMasterKeyCommand(context, options)),
    );
}
