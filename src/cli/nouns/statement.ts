import { type Command, Option } from "commander";
import { csvDialects } from "../../spreadsheets/write-csv.ts";
import { exportFormats } from "../../statements/export/write-export.ts";
import { sealCommand } from "../commands/seal.ts";
import { type ExportOptions, exportStatementCommand } from "../commands/statement/export.ts";
import { type VerifyOptions, verifyCommand } from "../commands/verify.ts";
import { parseCompanyId } from "../read-options.ts";
import { type Json, print, run, withJson } from "../run.ts";

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
      .command("verify")
      .description("Whether an exported statement is as it was exported; asks nobody"),
  )
    .argument("<file>", "CSV, XLSX or PDF")
    .option("--seals <file>", "seals that were kept: as GET /v1/statement/seals answers them")
    .option("--key <file>", "the operator's keys: as /.well-known/cauri-ledger.json has them")
    .action(async (file: string, options: Json & VerifyOptions) =>
      print(options, await verifyCommand(file, options)),
    );
  withJson(
    program
      .command("seal")
      .description(
        "Sign every day of every company that is over; the worker does it after midnight",
      ),
  ).action((options: Json) => run(options, sealCommand));
}
