import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { getCompany } from "../../../companies/find-company.ts";
import type { Language } from "../../../kernel/language.ts";
import type { CsvDialect } from "../../../spreadsheets/write-csv.ts";
import { openStatement } from "../../../statements/export/export-statement.ts";
import { writeExport } from "../../../statements/export/write-export.ts";
import { type ExportFormat } from "../../../statements/file-signature.ts";
import { openLedgerKey } from "../../../statements/ledger-key.ts";
import type { Context, Outcome } from "../../context.ts";
import { absent } from "../../files.ts";
import { Progress } from "../../progress.ts";
import { toFrancs } from "../../table.ts";

export interface ExportOptions {
  readonly from?: string;
  readonly to?: string;
  readonly subCompany?: string;
  readonly format: ExportFormat;
  readonly dialect: CsvDialect;
  readonly lang: Language;
  readonly output: string;
}

/** Writes beside the file and takes its place at the end: under its name stands a whole export or none. */
export async function exportStatementCommand(
  { config, database, openBox }: Context,
  companyId: string,
  { from, to, subCompany, format, dialect, lang, output }: ExportOptions,
): Promise<Outcome> {
  const company = await getCompany(database, companyId);
  await absent(output);
  const key = await openLedgerKey(database, await openBox());
  const { statement, exporter } = await openStatement(
    { database, country: config.country, key, publicUrl: config.publicUrl },
    company,
    { from, to, subCompanyId: subCompany },
  );
  const { count, opening, closing } = statement.head;
  const lines = withProgress(statement.lines, new Progress(count));
  const choice = { format, dialect, language: lang };
  const partial = `${output}.partial`;
  try {
    await pipeline(
      writeExport({ ...statement, lines }, exporter, choice),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await rename(partial, output);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return {
    value: { output, lines: count, openingBalance: opening, closingBalance: closing },
    text: `${output} has ${count} lines, with times of ${exporter.timeZone}: ${toFrancs(opening)} at the opening, ${toFrancs(closing)} at the closing. cauri verify checks it.`,
  };
}

async function* withProgress<Line>(
  sets: AsyncIterable<readonly Line[]>,
  progress: Progress,
): AsyncGenerator<readonly Line[]> {
  let done = 0;
  for await (const set of sets) {
    done += set.length;
    progress.show(done);
    yield set;
  }
}
