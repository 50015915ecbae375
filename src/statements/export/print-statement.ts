import type { Language } from "../../kernel/language.ts";
import type { DocumentPart } from "../../pdf/document.ts";
import { type Packed, Press } from "../../pdf/packed.ts";
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

/** An attachment has so many rows, and they are packed so many characters at a time. */
const [attachedRows, packedChars] = [10_000, 64 * 1024];

/**
 * A statement as a document: its lines on pages, and all rows of its export attached as CSV, in parts that follow one another.
 * An attachment comes before the pages of its
 * rows, so that no more than these pages are held.
 */
export async function* printStatement(
  sets: AsyncIterable<Iterable<ExportRow>>,
  language: Language,
  verifyUrl: string,
): AsyncGenerator<DocumentPart> {
  let printer: Printer | undefined;
  const part = new AttachedPart(language);
  try {
    for await (const rows of sets)
      for (const row of rows) {
        printer ??= new Printer(JSON.parse(row.proof ?? "") as OpeningFacts, language, verifyUrl);
        part.add(row);
        for (const page of printer.print(row)) await part.addPage(page);
        if (part.hasMuchToPack) await part.pack();
        if (part.size === attachedRows) yield* part.take();
      }
    yield* part.take();
    if (printer === undefined) return;
    for (const page of printer.end()) await part.addPage(page);
    yield* part.takePages();
  } finally {
    part.close();
  }
}

/** An attachment that is being made, and the pages that wait for it. Both are held as they will stand in the file: packed. */
class AttachedPart {
  /** In rows. */
  size = 0;
  #number = 1;
  readonly #language: Language;
  #text = csvHeader(headerFor("program"), "machine");
  readonly #table = new Press();
  readonly #pages = new Press();
  readonly #packedPages: Packed[] = [];

  constructor(language: Language) {
    this.#language = language;
  }

  get hasMuchToPack(): boolean {
    return this.#text.length >= packedChars;
  }

  add(row: ExportRow): void {
    this.#text += csvLine(cellsFor("program", row), "machine");
    this.size += 1;
  }

  async addPage(page: string): Promise<void> {
    await this.#pages.add(Buffer.from(page, "latin1"));
    this.#packedPages.push(await this.#pages.take());
  }

  async pack(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    await this.#table.add(Buffer.from(text));
  }

  /** The attachment and its pages; what is added afterwards goes into the next. */
  async *take(): AsyncGenerator<DocumentPart> {
    if (this.size === 0) return;
    await this.pack();
    const name = attachmentName(this.#language, this.#number);
    yield { attachment: { name, content: await this.#table.take() } };
    yield* this.takePages();
    this.#number += 1;
    this.size = 0;
  }

  *takePages(): Generator<DocumentPart> {
    for (const page of this.#packedPages.splice(0)) yield { page };
  }

  close(): void {
    this.#table.close();
    this.#pages.close();
  }
}

function attachmentName(language: Language, part: number): string {
  return `${language === "fr" ? "releve" : "statement"}-${String(part).padStart(4, "0")}.csv`;
}

/** Turns rows into lines on pages. */
class Printer {
  readonly #facts: OpeningFacts;
  readonly #language: Language;
  readonly #verifyUrl: string;
  readonly #pages: Pages;

  constructor(facts: OpeningFacts, language: Language, verifyUrl: string) {
    this.#language = language;
    this.#verifyUrl = verifyUrl;
    const opening = openingLines(facts, language, verifyUrl);
    const closing = closingLines(facts, language, "", verifyUrl);
    const lineCount = opening.length + facts.count + closing.length;
    this.#pages = new Pages(headingLine(language), lineCount, printedWords[language]);
    this.#pages.add(opening);
    this.#facts = facts;
  }

  /** The pages that are full with it. */
  print(row: ExportRow): readonly string[] {
    this.#pages.add(this.#linesOf(row));
    return this.#pages.takeFull();
  }

  end(): readonly string[] {
    return this.#pages.takeAll();
  }

  /** The seals and what proves the lines are attached and not printed. */
  #linesOf(row: ExportRow): readonly PrintedLine[] {
    if (row.kind === "closing") {
      const code = verificationCode(readCheck(row.check)?.digest ?? "");
      return closingLines(this.#facts, this.#language, code, this.#verifyUrl);
    }
    return row.date === undefined || row.date === "" ? [] : [statementLine(row, this.#language)];
  }
}
