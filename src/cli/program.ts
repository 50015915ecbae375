import { Command, Help, type Option } from "commander";
import type { Config } from "../config.ts";
import { readConfig } from "../config.ts";
import type { AuditCheck } from "../ledger/audit.ts";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand } from "./commands/backup.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { type RestoreOptions, restoreCommand } from "./commands/restore.ts";
import { type TrailOptions, trailCommand } from "./commands/trail.ts";
import { addChargeCommands } from "./nouns/charge.ts";
import { addCompanyCommands } from "./nouns/company.ts";
import { addCustomerCommands } from "./nouns/customer.ts";
import { addKeyCommands } from "./nouns/key.ts";
import { addMasterKeyCommands } from "./nouns/master-key.ts";
import { addPayoutCommands } from "./nouns/payout.ts";
import { addStatementCommands } from "./nouns/statement.ts";
import { addTransferCommands } from "./nouns/transfer.ts";
import { addWebhookCommands } from "./nouns/webhook.ts";
import { parseCompanyId, parseLimit, parseMoment, parseTrailId } from "./read-options.ts";
import { type Json, print, run, withJson } from "./run.ts";

/** Parts that are handed in: they see every folder, so this one may not import them. */
export interface ProgramParts {
  readonly version: string;
  readonly serve: (config: Config) => Promise<void>;
  readonly auditChecks: readonly AuditCheck[];
  /** What is wrong with the arguments is told by whoever runs the program, and not by the parser. */
  readonly isSilent: boolean;
}

export function buildProgram(parts: ProgramParts): Command {
  const program = new Command("cauri")
    .description(
      "A payout and collection server for XOF. Settings come from the environment; see docs/operating.md.",
    )
    .version(parts.version)
    .showHelpAfterError("(add --help for the options)")
    .configureHelp({ optionDescription: describeOption })
    .exitOverride();
  if (parts.isSilent) program.configureOutput({ writeErr: () => {} });

  withJson(program.command("serve").description("Run the service until SIGTERM or Ctrl-C")).action(
    () => parts.serve(readConfig(process.env)),
  );
  withJson(
    program.command("migrate").description("Bring the database schema up to date, then exit"),
  ).action(async (options: Json) => print(options, await migrateCommand()));
  withJson(
    program.command("audit").description("Recompute every balance; exit 1 on any difference"),
  ).action((options: Json) => run(options, (context) => auditCommand(context, parts.auditChecks)));
  withJson(
    program
      .command("backup")
      .description("Write everything, as it is at one moment, to a file; the service may go on"),
  )
    .argument("<file>", "a new one")
    .action(async (file: string, options: Json) => print(options, await backupCommand(file)));
  withJson(
    program.command("restore").description("Make a database from a backup, where there is none"),
  )
    .argument("<file>", "what `cauri backup` has written")
    .option("--without-master-key", "although the key of its secrets is not at hand")
    .action(async (file: string, options: Json & RestoreOptions) =>
      print(options, await restoreCommand(file, options, parts.auditChecks)),
    );
  addStatementCommands(program);
  withJson(program.command("trail").description("Who changed what, newest first"))
    .option("--company <id>", "of this company alone", parseCompanyId)
    .option("--since <moment>", "a moment, or how long ago: 24h", parseMoment)
    .option("--before <id>", "only what is older than this entry", parseTrailId)
    .option("--limit <count>", "how many", parseLimit, 50)
    .action((options: Json & TrailOptions) =>
      run(options, (context) => trailCommand(context, options)),
    );
  addCompanyCommands(program);
  addKeyCommands(program);
  addMasterKeyCommands(program);
  addCustomerCommands(program);
  addTransferCommands(program);
  addChargeCommands(program);
  addWebhookCommands(program);
  addPayoutCommands(program);
  return program;
}

function describeOption(option: Option): string {
  const said = new Help().optionDescription(option);
  return option.mandatory ? `${said} (required)` : said;
}
