import type { Command } from "commander";
import { Option } from "commander";
import { withExample, withLogin } from "../business-options.ts";
import { type ImportOptions, importPayoutsCommand } from "../commands/payout/import.ts";
import { type RetryOptions, retryPayoutsCommand } from "../commands/payout/retry.ts";
import { type TemplateOptions, templateCommand } from "../commands/payout/template.ts";
import { type Json, print, withJson, withYes } from "../run.ts";

/** For a business and not for the operator: over HTTP, with its token. */
export function addPayoutCommands(program: Command): void {
  const payout = program.command("payout").description("Pay many people from a spreadsheet");
  withExample(withJson(payout.command("template")), "cauri payout template --output payroll.xlsx")
    .description("An empty spreadsheet to fill in")
    .option("--output <file>", "where to write it, .csv or .xlsx", "payroll.csv")
    .addOption(
      new Option("--language <code>", "of the headings").choices(["fr", "en"]).default("fr"),
    )
    .action(async (options: Json & TemplateOptions) =>
      print(options, await templateCommand(options)),
    );
  withExample(
    withLogin(withYes(payout.command("import"))),
    "cauri payout import payroll.xlsx --dry-run",
  )
    .description("Check a spreadsheet, show what it comes to, and pay it after a yes")
    .argument("<file>", ".csv or .xlsx; see docs/payouts.md")
    .option("--dry-run", "check and show, and send nothing")
    .option("--output <file>", "where to write what became of each row")
    .option("--allow-repeats", "rows with the same number and amount are meant so")
    .option("--skip-invalid", "pay the rows with which nothing is wrong, and leave the others out")
    .option("--new", "this is another payroll than the one that was paid under this name")
    .action(async (file: string, options: Json & ImportOptions) =>
      print(options, await importPayoutsCommand(file, options)),
    );
  withExample(
    withLogin(withJson(payout.command("retry"))),
    "cauri payout retry payroll-outcome.csv",
  )
    .description("Make a new spreadsheet of the rows that have failed")
    .argument("<outcome-file>", "what payout import has written")
    .option("--output <file>", "where to write it")
    .action(async (file: string, options: Json & RetryOptions) =>
      print(options, await retryPayoutsCommand(file, options)),
    );
}
