import type { Language } from "../../kernel/language.ts";
import type { DocumentPart } from "../../pdf/document.ts";
import { csvHeader, csvLine } from "../../spreadsheets/write-csv.ts";
import type { ExportRow } from "./columns.ts";
import { type OpeningFacts, verificationCode } from "./facts.ts";
import { Pages } from "./pages.ts";
import { cellsFor, headerFor } from "./present.ts";
import {
  closingLines,
  headingLine,
  openingLines,
  type PrintedLine,
  statementLine,
} from "./printed-lines.ts";
import { readCheck } from "./row-check.ts";
import { printedWords } from "./words.ts";

/** An attachment has so many rows; they are held until they are printed. */
const attachedRows = 10_000;

/**
 * A statement as a document: its lines on pages, and all rows of its export attached as CSV, in parts that follow one another.
 * It is made of the rows alone, so that whoever has the rows can make it again and compare.
 */
export async function* printStatement(
  sets: AsyncIterable<readonly ExportRow[]>,
  language: Language,
): AsyncGenerator<DocumentPart> {
  let printer: Printer | undefined;
  let part = 0;
  for await (const rows of inSetsOf(attachedRows, sets)) {
    part += 1;
    const content = Buffer.from(
      `${part === 1 ? csvHeader(headerFor("program"), "machine") : ""}${rows.map((row) => csvLine(cellsFor("program", row), "machine")).join("")}`,
    );
    yield { attachment: { name: attachmentName(language, part), content } };
    printer ??= new Printer(JSON.parse(rows[0]?.proof ?? "") as OpeningFacts, language);
    yield* printer.print(rows);
  }
  if (printer !== undefined) yield* printer.end();
}

/** Tells the document's language too, to whoever finds it. */
export function attachmentName(language: Language, part: number): string {
  return `${language === "fr" ? "releve" : "statement"}-${String(part).padStart(4, "0")}.csv`;
}

async function* inSetsOf<Item>(
  count: number,
  sets: AsyncIterable<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let held: Item[] = [];
  for await (const set of sets) {
    for (const item of set) {
      held.push(item);
      if (held.length < count) continue;
      yield held;
      held = [];
    }
  }
  if (held.length > 0) yield held;
}

/** Turns rows into lines on pages. */
class Printer {
  readonly #language: Language;
  readonly #pages: Pages;
  #code = "";

  constructor(facts: OpeningFacts, language: Language) {
    this.#language = language;
    const opening = openingLines(facts, language);
    const lineCount = opening.length + facts.count + closingLines(facts, language, "").length;
    this.#pages = new Pages(headingLine(language), lineCount, printedWords[language]);
    this.#pages.add(opening);
    this.#facts = facts;
  }

  readonly #facts: OpeningFacts;

  *print(rows: readonly ExportRow[]): Generator<DocumentPart> {
    for (const row of rows) {
      this.#pages.add(this.#linesOf(row));
      for (const page of this.#pages.takeFull()) yield { page };
    }
  }

  *end(): Generator<DocumentPart> {
    for (const page of this.#pages.takeAll()) yield { page };
  }

  /** The seals and what proves the lines are attached and not printed. */
  #linesOf(row: ExportRow): readonly PrintedLine[] {
    if (row.kind === "closing") this.#code = verificationCode(readCheck(row.check)?.digest ?? "");
    if (row.kind === "signature") return closingLines(this.#facts, this.#language, this.#code);
    return row.date === undefined || row.date === "" ? [] : [statementLine(row, this.#language)];
  }
}
