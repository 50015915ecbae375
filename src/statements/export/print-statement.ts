import type { Language } from "../../kernel/language.ts";
import type { DocumentPart } from "../../pdf/document.ts";
import { Packing, packPage } from "../../pdf/packed.ts";
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

/** An attachment has so many rows, and rows are taken in sets of so many. */
const [attachedRows, rowsAtOnce] = [10_000, 500];

/**
 * A statement as a document: its lines on pages, and all rows of its export attached as CSV, in parts that follow one another.
 * It is made of the rows alone, so that whoever has the rows can make it again and compare. An attachment comes before the
 * pages of its rows: who reads on until something is wrong has the rows of the page where it is.
 */
export async function* printStatement(
  sets: AsyncIterable<readonly ExportRow[]>,
  language: Language,
): AsyncGenerator<DocumentPart> {
  let printer: Printer | undefined;
  let part = new AttachedPart(language, 1);
  try {
    for await (const rows of inSetsOf(rowsAtOnce, sets)) {
      printer ??= new Printer(JSON.parse(rows[0]?.proof ?? "") as OpeningFacts, language);
      await part.add(rows, printer.print(rows));
      if (part.size < attachedRows) continue;
      yield* part.take();
      part = new AttachedPart(language, part.number + 1);
    }
    yield* part.take();
    if (printer !== undefined) yield* printer.end();
  } finally {
    part.drop();
  }
}

/** An attachment that is being made, and the pages that wait for it. Both are held as they will stand in the file: packed. */
class AttachedPart {
  readonly number: number;
  /** In rows. */
  size = 0;
  readonly #language: Language;
  readonly #content = new Packing();
  readonly #pages: DocumentPart[] = [];

  constructor(language: Language, number: number) {
    this.#language = language;
    this.number = number;
  }

  async add(rows: readonly ExportRow[], pages: Iterable<DocumentPart>): Promise<void> {
    const isFirst = this.number === 1 && this.size === 0;
    let text = isFirst ? csvHeader(headerFor("program"), "machine") : "";
    for (const row of rows) text += csvLine(cellsFor("program", row), "machine");
    await this.#content.add(Buffer.from(text));
    this.#pages.push(...pages);
    this.size += rows.length;
  }

  /** Leaves nothing behind: whoever still holds this holds nothing large. */
  async *take(): AsyncGenerator<DocumentPart> {
    if (this.size === 0) return;
    const name = attachmentName(this.#language, this.number);
    yield { attachment: { name, content: await this.#content.end() } };
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift()) yield page;
  }

  drop(): void {
    this.#content.drop();
  }
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
  readonly #facts: OpeningFacts;
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

  *print(rows: readonly ExportRow[]): Generator<DocumentPart> {
    for (const row of rows) {
      this.#pages.add(this.#linesOf(row));
      for (const page of this.#pages.takeFull()) yield { page: packPage(page) };
    }
  }

  *end(): Generator<DocumentPart> {
    for (const page of this.#pages.takeAll()) yield { page: packPage(page) };
  }

  /** The seals and what proves the lines are attached and not printed. */
  #linesOf(row: ExportRow): readonly PrintedLine[] {
    if (row.kind === "closing") this.#code = verificationCode(readCheck(row.check)?.digest ?? "");
    if (row.kind === "signature") return closingLines(this.#facts, this.#language, this.#code);
    return row.date === undefined || row.date === "" ? [] : [statementLine(row, this.#language)];
  }
}
