import type { Command } from "commander";
import { type VerifyOptions, verifyCommand } from "../commands/verify.ts";
import { type Json, print, withJson } from "../run.ts";

/** For whoever holds an exported statement: it needs neither a database nor a token. */
export function addVerifyCommand(program: Command): void {
  withJson(
    program
      .command("verify")
      .description("Whether an exported statement is as it was exported; asks nobody"),
  )
    .argument("<file>", "CSV, XLSX or PDF")
    .option("--seals <file>", "seals that were kept: as GET /v1/statement/seals answers them")
    .option(
      "--key <file>",
      "the operator's keys: as /.well-known/cauri-ledger.json has them; without them nothing says whose the file is",
    )
    .option("--rows <file>", "write the rows that were verified to a new file, as CSV for programs")
    .action(async (file: string, options: Json & VerifyOptions) =>
      print(options, await verifyCommand(file, options)),
    );
}
