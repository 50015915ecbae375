import { Command, Help, type Option } from "commander";
import type { Config } from "../config.ts";
import { readConfig } from "../config.ts";
import type { AuditCheck } from "../ledger/audit.ts";
import { auditCommand } from "./commands/audit.ts";
import { migrateCommand } from "./commands/migrate.ts";
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
    .hook("preAction", (_program, command) => refuseSwallowedOptions(command))
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

/** `--reference --yes`: the parser takes the second for the value of the first, and money would move under that name. */
function refuseSwallowedOptions(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (command.options.some(({ long }) => long !== undefined && long === value))
      command.error(`error: option '${option.flags}' argument missing before ${String(value)}`);
  }
}
