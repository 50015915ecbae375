import type { Language } from "../../kernel/language.ts";
import { documentObjects } from "../../pdf/document.ts";
import { pdfBytes } from "../../pdf/objects.ts";
import type { Row } from "../../spreadsheets/cell.ts";
import type { WorkbookFacts } from "../../spreadsheets/workbook-parts.ts";
import { type CsvDialect, csvWriter } from "../../spreadsheets/write-csv.ts";
import { xlsxWriter } from "../../spreadsheets/write-xlsx.ts";
import type { Statement } from "../statement.ts";
import { columns, type ExportRow } from "./columns.ts";
import { type Exporter, exportRows } from "./export-rows.ts";
import { cellsFor, headerFor, type Reader } from "./present.ts";
import { printStatement } from "./print-statement.ts";
import { printedWords } from "./words.ts";

export const exportFormats = ["csv", "xlsx", "pdf"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportChoice {
  readonly format: ExportFormat;
  readonly dialect: CsvDialect;
  readonly language: Language;
}

/** A statement as a file, piece by piece. The statement is read as the pieces are taken. */
export function writeExport(
  statement: Statement,
  exporter: Exporter,
  { format, dialect, language }: ExportChoice,
): AsyncGenerator<Buffer> {
  const sets = exportRows(statement, exporter);
  if (format === "csv") return writeCsvExport(sets, dialect, language);
  if (format === "xlsx") return xlsxWriter(workbookFacts(language), cellSets(sets, language));
  return pdfBytes(documentObjects(documentFacts(language), printStatement(sets, language)));
}

/** Excel is read by people: there the columns and kinds have their words. */
function writeCsvExport(
  sets: AsyncIterable<Iterable<ExportRow>>,
  dialect: CsvDialect,
  language: Language,
): AsyncGenerator<Buffer> {
  const reader: Reader = dialect === "machine" ? "program" : language;
  return csvWriter(headerFor(reader), cellSets(sets, reader), dialect);
}

export function workbookFacts(language: Language): WorkbookFacts {
  return {
    sheetName: printedWords[language].sheet,
    header: headerFor(language),
    widths: columns.map(({ width }) => width),
  };
}

export function documentFacts(language: Language) {
  return { title: printedWords[language].title, language };
}

export async function* cellSets(
  sets: AsyncIterable<Iterable<ExportRow>>,
  reader: Reader,
): AsyncGenerator<Iterable<Row>> {
  for await (const rows of sets) yield cellsOf(rows, reader);
}

function* cellsOf(rows: Iterable<ExportRow>, reader: Reader): Generator<Row> {
  for (const row of rows) yield cellsFor(reader, row);
}
