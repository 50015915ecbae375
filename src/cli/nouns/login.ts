import type { Command } from "commander";
import { parseProfile, withExample, withLogin, withProfile } from "../business-options.ts";
import { type LoginOptions, loginCommand, logoutCommand } from "../commands/login.ts";
import { listProfilesCommand, removeProfileCommand } from "../commands/profiles.ts";
import { type Json, print, withJson } from "../run.ts";

interface Profile {
  readonly profile?: string;
}

/** Whose token the commands of a business use. */
export function addLoginCommands(program: Command): void {
  withExample(
    withLogin(withJson(program.command("login"))),
    "cauri login",
    "cauri login --token-stdin < .cauri/demo.json    (both keys, from JSON)",
    "cauri login --profile shop --url https://pay.example",
  )
    .description("Keep the company's token for these commands, in a file that you alone can read")
    .option("--token-stdin", "read it from standard input; a second line is the secret key")
    .addHelpText("after", "\nThe token is asked for and not shown.")
    .action(async (options: Json & LoginOptions) => print(options, await loginCommand(options)));
  withExample(withProfile(withJson(program.command("logout"))), "cauri logout --profile shop")
    .description("Forget the token that login has kept")
    .action(async (options: Json & Profile) => print(options, await logoutCommand(options)));
  const profiles = program
    .command("profiles")
    .description("The logins that are kept, and the one that commands use");
  withExample(
    withProfile(withJson(profiles.command("list", { isDefault: true }))),
    "cauri profiles",
  )
    .description("All of them; * is used by commands that name none")
    .action(async (options: Json & Profile) => print(options, await listProfilesCommand(options)));
  withExample(withJson(profiles.command("remove")), "cauri profiles remove shop")
    .description("Forget one")
    .argument("<name>", "of the profile", parseProfile)
    .action(async (name: string, options: Json) =>
      print(options, await removeProfileCommand(name)),
    );
}
