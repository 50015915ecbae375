import type { Language } from "../../kernel/language.ts";
import { documentObjects } from "../../pdf/document.ts";
import { pdfBytes } from "../../pdf/objects.ts";
import type { Row } from "../../spreadsheets/cell.ts";
import type { WorkbookFacts } from "../../spreadsheets/workbook-parts.ts";
import { type CsvDialect, csvLine, csvWriter } from "../../spreadsheets/write-csv.ts";
import { xlsxWriter } from "../../spreadsheets/write-xlsx.ts";
import { type ExportFormat, openMark, signedFile } from "../file-signature.ts";
import type { Statement } from "../statement.ts";
import { columns, type ExportRow } from "./columns.ts";
import { type Exporter, exportRows } from "./export-rows.ts";
import { cellsFor, headerFor, type Reader } from "./present.ts";
import { printStatement } from "./print-statement.ts";
import { printedWords } from "./words.ts";

export interface ExportChoice {
  readonly format: ExportFormat;
  readonly dialect: CsvDialect;
  readonly language: Language;
}

/** A statement as a file, piece by piece, with the operator's signature at its end. The statement is read as the pieces are taken. */
export function writeExport(
  statement: Statement,
  exporter: Exporter,
  choice: ExportChoice,
): AsyncGenerator<Buffer> {
  const { format } = choice;
  const mark = openMark(format, exporter.key);
  const sets = exportRows(statement, exporter);
  return signedFile(writeUnsigned(sets, mark, exporter.verifyUrl, choice), format, exporter.key);
}

function writeUnsigned(
  sets: AsyncIterable<Iterable<ExportRow>>,
  mark: string,
  verifyUrl: string,
  { format, dialect, language }: ExportChoice,
): AsyncGenerator<Buffer> {
  if (format === "csv") return writeCsvExport(sets, mark, dialect, language);
  if (format === "xlsx") return xlsxWriter(workbookFacts(language), cellSets(sets, language), mark);
  const parts = printStatement(sets, language, verifyUrl);
  return pdfBytes(documentObjects(documentFacts(language), parts), mark);
}

/** Excel is read by people: there the columns and kinds have their words. The mark is the last cell of a last row. */
async function* writeCsvExport(
  sets: AsyncIterable<Iterable<ExportRow>>,
  mark: string,
  dialect: CsvDialect,
  language: Language,
): AsyncGenerator<Buffer> {
  const reader: Reader = dialect === "machine" ? "program" : language;
  yield* csvWriter(headerFor(reader), cellSets(sets, reader), dialect);
  const signatureRow = [...cellsFor(reader, { kind: "signature" }).slice(0, -1), { text: mark }];
  yield Buffer.from(csvLine(signatureRow, dialect));
}

function workbookFacts(language: Language): WorkbookFacts {
  return {
    sheetName: printedWords[language].sheet,
    header: headerFor(language),
    widths: columns.map(({ width }) => width),
  };
}

function documentFacts(language: Language) {
  return { title: printedWords[language].title, language };
}

async function* cellSets(
  sets: AsyncIterable<Iterable<ExportRow>>,
  reader: Reader,
): AsyncGenerator<Iterable<Row>> {
  for await (const rows of sets) yield cellsOf(rows, reader);
}

function* cellsOf(rows: Iterable<ExportRow>, reader: Reader): Generator<Row> {
  for (const row of rows) yield cellsFor(reader, row);
}
