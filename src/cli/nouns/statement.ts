import { type Command, Option } from "commander";
import { csvDialects } from "../../spreadsheets/write-csv.ts";
import { exportFormats } from "../../statements/file-signature.ts";
import { sealCommand } from "../commands/seal.ts";
import { type ExportOptions, exportStatementCommand } from "../commands/statement/export.ts";
import { parseCompanyId } from "../read-options.ts";
import { type Json, run, withJson } from "../run.ts";

export function addStatementCommands(program: Command): void {
  const statement = program.command("statement").description("What changed a company's balance");
  withJson(
    statement.command("export").description("Write a statement to a file that can be verified"),
  )
    .argument("<company>", "company id", parseCompanyId)
    .option("--from <day>", "a day of the company's, or a moment; from the beginning when absent")
    .option("--to <day>", "a day or a moment, included; up to now when absent")
    .option("--sub-company <id>", "its lines alone")
    .addOption(
      new Option("--format <format>", "of the file")
        .choices([...exportFormats])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--dialect <name>", "of CSV").choices([...csvDialects]).default("machine"),
    )
    .addOption(
      new Option("--lang <code>", "of headings and pages").choices(["fr", "en"]).default("fr"),
    )
    .requiredOption("--output <file>", "where to write it")
    .action((id: string, options: Json & ExportOptions) =>
      run(options, (context) => exportStatementCommand(context, id, options)),
    );
  withJson(
    program
      .command("seal")
      .description(
        "Sign every day of every company that is over; the worker does it after midnight",
      ),
  ).action((options: Json) => run(options, sealCommand));
}
