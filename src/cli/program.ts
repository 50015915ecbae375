import { Command, Option } from "commander";
import type { CompanyChange } from "../companies/company.ts";
import type { Config } from "../config.ts";
import { readConfig } from "../config.ts";
import { kycStatuses } from "../customers/customer.ts";
import { countryCodes } from "../kernel/countries.ts";
import type { AuditCheck } from "../ledger/audit.ts";
import { auditCommand } from "./commands/audit.ts";
import { type CreateCompanyOptions, createCompanyCommand } from "./commands/company/create.ts";
import {
  type FreezeOptions,
  freezeCompanyCommand,
  unfreezeCompanyCommand,
} from "./commands/company/freeze.ts";
import { fundCompanyCommand } from "./commands/company/fund.ts";
import { listCompaniesCommand } from "./commands/company/list.ts";
import { setCompanyCommand } from "./commands/company/set.ts";
import { type AddCustomerOptions, addCustomerCommand } from "./commands/customer/add.ts";
import { freezeCustomerCommand, unfreezeCustomerCommand } from "./commands/customer/freeze.ts";
import { listCustomersCommand } from "./commands/customer/list.ts";
import { setCustomerCommand } from "./commands/customer/set.ts";
import { listKeysCommand } from "./commands/key/list.ts";
import { revokeKeyCommand } from "./commands/key/revoke.ts";
import { rotateKeyCommand } from "./commands/key/rotate.ts";
import { checkMasterKeyCommand } from "./commands/master-key/check.ts";
import { replaceMasterKeyCommand } from "./commands/master-key/replace.ts";
import { rotateMasterKeyCommand } from "./commands/master-key/rotate.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { type TrailOptions, trailCommand } from "./commands/trail.ts";
import { listDeliveriesCommand } from "./commands/webhook/deliveries.ts";
import { enableWebhookCommand } from "./commands/webhook/enable.ts";
import { listWebhooksCommand } from "./commands/webhook/list.ts";
import { redeliverCommand } from "./commands/webhook/redeliver.ts";
import { type ReplayOptions, replayCommand } from "./commands/webhook/replay.ts";
import { addStatementCommands } from "./nouns/statement.ts";
import {
  parseAmount,
  parseCompanyId,
  parseCount,
  parseDuration,
  parseFee,
  parseFrancs,
  parseKeyId,
  parseLimit,
  parseMoment,
  parseMsisdn,
  parseName,
  parsePositiveFrancs,
  parseRate,
  parseReference,
  parseTimeZone,
  parseTrailId,
  parseWebhookId,
} from "./read-options.ts";
import { type Json, print, run, withJson, withYes } from "./run.ts";

/** Parts that are handed in: they see every folder, so this one may not import them. */
export interface ProgramParts {
  readonly version: string;
  readonly serve: (config: Config) => Promise<void>;
  readonly auditChecks: readonly AuditCheck[];
}

export function buildProgram(parts: ProgramParts): Command {
  const program = new Command("cauri")
    .description(
      "A payout and collection server for XOF. Settings come from the environment; see docs/operating.md.",
    )
    .version(parts.version)
    .showHelpAfterError("(add --help for the options)");

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
  addWebhookCommands(program);
  return program;
}

function addCompanyCommands(program: Command): void {
  const company = program.command("company").description("The businesses with an account here");
  withJson(company.command("create").description("Create a company and show its keys, once"))
    .argument("<name>", "what people see", parseName)
    .option("--fund <francs>", "put this much on the account at once", parseFrancs, 0)
    .option(
      "--transfer-fee-rate <share>",
      "fee as a share of the amount, such as 0.01",
      parseRate,
      0,
    )
    .option("--transfer-fee-flat <francs>", "fee added to each transfer", parseFee, 0)
    .option("--transfer-fee-min <francs>", "the least a fee can be", parseFee, 0)
    .option("--transfer-fee-max <francs>", "the most a fee can be", parseFee)
    .option("--transfer-min <francs>", "smallest transfer (5000)", parseAmount)
    .option("--transfer-max <francs>", "largest transfer (500000)", parseAmount)
    .option("--charge-fee-rate <share>", "fee as a share of a charge, such as 0.01", parseRate, 0)
    .option("--charge-min <francs>", "smallest charge (1)", parseAmount)
    .option("--charge-max <francs>", "largest charge (200000000)", parseAmount)
    .addOption(country())
    .addOption(timeZone())
    .action((name: string, options: Json & CreateCompanyOptions) =>
      run(options, (context) => createCompanyCommand(context, name, options)),
    );
  withJson(company.command("set").description("Change what payers see of a company"))
    .argument("<id>", "company id", parseCompanyId)
    .option("--name <name>", "what people see", parseName)
    .addOption(country())
    .addOption(timeZone())
    .action((id: string, options: Json & CompanyChange) =>
      run(options, (context) => setCompanyCommand(context, id, options)),
    );
  withJson(company.command("fund").description("Add money that came in from outside"))
    .argument("<id>", "company id", parseCompanyId)
    .argument("<francs>", "how much", parsePositiveFrancs)
    .option(
      "--reference <text>",
      "your name for it, such as the bank's: it happens once, for ever",
      parseReference,
    )
    .action((id: string, francs: number, options: Json & { reference?: string }) =>
      run(options, (context) => fundCompanyCommand(context, id, francs, options)),
    );
  withYes(company.command("freeze").description("Refuse its requests and end what is pending"))
    .argument("<id>", "company id", parseCompanyId)
    .action((id: string, options: Json & FreezeOptions) =>
      run(options, (context) => freezeCompanyCommand(context, id, options)),
    );
  withYes(company.command("unfreeze").description("Serve a frozen company again"))
    .argument("<id>", "company id", parseCompanyId)
    .action((id: string, options: Json & FreezeOptions) =>
      run(options, (context) => unfreezeCompanyCommand(context, id, options)),
    );
  withJson(company.command("list").description("All companies and their balances")).action(
    (options: Json) => run(options, listCompaniesCommand),
  );
}

function addKeyCommands(program: Command): void {
  const key = program
    .command("key")
    .description("Access tokens and the secret keys issued with them");
  withJson(key.command("rotate").description("Issue a new key; the old ones end after an overlap"))
    .argument("<company>", "company id", parseCompanyId)
    .option(
      "--overlap <duration>",
      "how long old keys stay good: 90s, 15m, 24h, 7d",
      parseDuration,
      86_400,
    )
    .action((id: string, options: Json & { overlap: number }) =>
      run(options, (context) => rotateKeyCommand(context, id, options)),
    );
  withJson(key.command("revoke").description("End a key at once, on every node"))
    .argument("<key>", "key id", parseKeyId)
    .action((id: string, options: Json) =>
      run(options, (context) => revokeKeyCommand(context, id)),
    );
  withJson(key.command("list").description("A company's keys, without their secrets"))
    .argument("<company>", "company id", parseCompanyId)
    .action((id: string, options: Json) => run(options, (context) => listKeysCommand(context, id)));
}

function addMasterKeyCommands(program: Command): void {
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

function addCustomerCommands(program: Command): void {
  const customer = program
    .command("customer")
    .description("The customer book: people known by a phone number");
  withJson(customer.command("add").description("Put a person into the book, with an empty wallet"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .requiredOption("--first-name <name>", "first name", parseName)
    .requiredOption("--last-name <name>", "last name", parseName)
    .addOption(kyc().makeOptionMandatory())
    .option("--limit <francs>", "the most the wallet may hold", parseFrancs)
    .action((msisdn: string, options: Json & AddCustomerOptions) =>
      run(options, (context) => addCustomerCommand(context, msisdn, options)),
    );
  withJson(customer.command("set").description("Change what is given, keep the rest"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .option("--first-name <name>", "first name", parseName)
    .option("--last-name <name>", "last name", parseName)
    .addOption(kyc())
    .option("--limit <francs>", "the most the wallet may hold", parseFrancs)
    .action((msisdn: string, options: Json & Partial<AddCustomerOptions>) =>
      run(options, (context) => setCustomerCommand(context, msisdn, options)),
    );
  withYes(customer.command("freeze").description("Let a wallet neither receive nor pay"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .action((msisdn: string, options: Json & FreezeOptions) =>
      run(options, (context) => freezeCustomerCommand(context, msisdn, options)),
    );
  withYes(customer.command("unfreeze").description("Let a frozen wallet receive and pay again"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .action((msisdn: string, options: Json & FreezeOptions) =>
      run(options, (context) => unfreezeCustomerCommand(context, msisdn, options)),
    );
  withJson(customer.command("list").description("Everybody in the book")).action((options: Json) =>
    run(options, listCustomersCommand),
  );
}

function addWebhookCommands(program: Command): void {
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
    .requiredOption("--since <moment>", "a moment, or how long ago: 24h", parseMoment)
    .option("--until <moment>", "a moment, or how long ago; now when absent", parseMoment)
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

function country(): Option {
  const what = "whose phone numbers payers may type without the country code (DEFAULT_COUNTRY)";
  return new Option("--country <code>", what).choices(countryCodes);
}

function timeZone(): Option {
  const what = "the time that pages tell, such as Africa/Niamey (that of the country)";
  return new Option("--time-zone <name>", what).argParser(parseTimeZone);
}

function kyc(): Option {
  return new Option("--kyc <status>", "identification status").choices([...kycStatuses]);
}
