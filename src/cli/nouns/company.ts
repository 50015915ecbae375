import { type Command, Option } from "commander";
import { countryCodes } from "../../kernel/countries.ts";
import { adjustableAccounts } from "../../ledger/funding.ts";
import { type AdjustOptions, adjustCompanyCommand } from "../commands/company/adjust.ts";
import { type CreateCompanyOptions, createCompanyCommand } from "../commands/company/create.ts";
import { freezeCompanyCommand, unfreezeCompanyCommand } from "../commands/company/freeze.ts";
import { type FundOptions, fundCompanyCommand } from "../commands/company/fund.ts";
import { listCompaniesCommand } from "../commands/company/list.ts";
import { listPostingsCommand, type PostingOptions } from "../commands/company/postings.ts";
import { type SetCompanyOptions, setCompanyCommand } from "../commands/company/set.ts";
import { showCompanyCommand } from "../commands/company/show.ts";
import { listSubCompaniesCommand } from "../commands/company/sub-companies.ts";
import { type WithdrawOptions, withdrawCommand } from "../commands/company/withdraw.ts";
import { askAbove } from "../confirm.ts";
import { withPrice } from "../price-options.ts";
import {
  parseAccount,
  parseCompanyId,
  parseCount,
  parseFrancs,
  parseKeysAloneMax,
  parseLimit,
  parseName,
  parseNote,
  parsePositiveFrancs,
  parseReference,
  parseTimeZone,
} from "../read-options.ts";
import { type Json, run, withJson, withYes, type Yes } from "../run.ts";
import { toFrancs } from "../table.ts";

export function addCompanyCommands(program: Command): void {
  const company = program.command("company").description("The businesses with an account here");
  withPrice(
    withJson(company.command("create").description("Create a company and show its keys, once")),
  )
    .argument("<name>", "what people see", parseName)
    .option("--fund <francs>", "put this much on the account at once", parseFrancs, 0)
    .option("--shell", 'print the keys as a shell reads them: eval "$(… --shell)"')
    .addOption(country())
    .addOption(timeZone())
    .action((name: string, options: Json & CreateCompanyOptions) =>
      run(options, (context) => createCompanyCommand(context, name, options)),
    );
  withJson(company.command("show").description("A company, its balances and its prices by time"))
    .argument("<id>", "company id", parseCompanyId)
    .action((id: string, options: Json) =>
      run(options, (context) => showCompanyCommand(context, id)),
    );
  withPrice(
    withJson(
      company
        .command("set")
        .description(
          "Change what is given: what payers see, and the price of what comes from now on",
        ),
    ),
  )
    .argument("<id>", "company id", parseCompanyId)
    .option("--name <name>", "what people see", parseName)
    .option(
      "--alone-max <francs>",
      "what one person of the console may pay out within a day without a second one; 0: nothing",
      parseFrancs,
    )
    .option(
      "--keys-alone-max <francs|off>",
      "what its keys may pay out within a day without a person; more is held; off: any amount",
      parseKeysAloneMax,
    )
    .addOption(country())
    .addOption(timeZone())
    .action((id: string, options: Json & SetCompanyOptions) =>
      run(options, (context) => setCompanyCommand(context, id, options)),
    );
  addMoneyCommands(company);
  withYes(company.command("freeze").description("Refuse its requests and end what is pending"))
    .argument("<id>", "company id", parseCompanyId)
    .action((id: string, options: Json & Yes) =>
      run(options, (context) => freezeCompanyCommand(context, id, options)),
    );
  withYes(company.command("unfreeze").description("Serve a frozen company again"))
    .argument("<id>", "company id", parseCompanyId)
    .action((id: string, options: Json & Yes) =>
      run(options, (context) => unfreezeCompanyCommand(context, id, options)),
    );
  withJson(company.command("list").description("All companies and their balances")).action(
    (options: Json) => run(options, listCompaniesCommand),
  );
  addListsOfCompany(program);
}

/** What moves a company's money by the operator's hand. */
function addMoneyCommands(company: Command): void {
  const asks = `asks above ${toFrancs(askAbove)}`;
  const once = "your name for it, such as the bank's: it happens once, for ever";
  withYes(company.command("fund").description(`Add money that came in from outside; ${asks}`))
    .argument("<id>", "company id", parseCompanyId)
    .argument("<francs>", "how much", parsePositiveFrancs)
    .option("--reference <text>", once, parseReference)
    .option("--memo <text>", "what to remember of it", parseNote)
    .action((id: string, francs: number, options: Json & FundOptions) =>
      run(options, (context) => fundCompanyCommand(context, id, francs, options)),
    );
  withYes(company.command("withdraw").description(`Take money out of the account; ${asks}`))
    .argument("<id>", "company id", parseCompanyId)
    .argument("<francs>", "how much", parsePositiveFrancs)
    .requiredOption("--reference <text>", once, parseReference)
    .option("--memo <text>", "what to remember of it", parseNote)
    .action((id: string, francs: number, options: Json & WithdrawOptions) =>
      run(options, (context) => withdrawCommand(context, id, francs, options)),
    );
  withYes(company.command("adjust").description("Correct the books: from one account to another"))
    .argument("<id>", "company id", parseCompanyId)
    .argument("<francs>", "how much", parsePositiveFrancs)
    .addOption(account("--from", "that gives"))
    .addOption(account("--to", "that receives"))
    .requiredOption("--reason <text>", "why, for whoever reads the books later", parseNote)
    .option("--reference <text>", once, parseReference)
    .action((id: string, francs: number, options: Json & AdjustOptions) =>
      run(options, (context) => adjustCompanyCommand(context, id, francs, options)),
    );
}

function addListsOfCompany(program: Command): void {
  const subCompany = program
    .command("sub-company")
    .description("On whose behalf companies send and collect");
  withJson(subCompany.command("list").description("A company's sub-companies, newest first"))
    .argument("<company>", "company id", parseCompanyId)
    .option("--limit <count>", "how many", parseLimit, 50)
    .option("--cursor <text>", "where the page before ended")
    .action((id: string, options: Json & { limit: number; cursor?: string }) =>
      run(options, (context) => listSubCompaniesCommand(context, id, options)),
    );
  const posting = program.command("posting").description("The movements of a company's money");
  withJson(posting.command("list").description("A company's postings, newest first"))
    .argument("<company>", "company id", parseCompanyId)
    .option("--limit <count>", "how many", parseLimit, 50)
    .option("--before <number>", "only those below this number", parseCount)
    .action((id: string, options: Json & PostingOptions) =>
      run(options, (context) => listPostingsCommand(context, id, options)),
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

/** An account that nothing else counts; of the others it is said why not. */
function account(flag: string, what: string): Option {
  return new Option(`${flag} <account>`, `the account ${what}: ${adjustableAccounts.join(", ")}`)
    .argParser(parseAccount)
    .makeOptionMandatory();
}
