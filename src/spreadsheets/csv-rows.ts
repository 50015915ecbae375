import { UnreadableFile } from "./errors.ts";
import { unguarded } from "./formula-guard.ts";
import type { TableLimits } from "./limits.ts";
import { CellCount, type TableRow } from "./table.ts";

const quote = '"';
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const quoteCode = 0x22;

/** Where the next character stands: before a cell, in one, in quotes, or behind the quote that may have closed it. */
type Place = "before" | "plain" | "quoted" | "behind";

/**
 * Makes rows of text that comes in pieces. Each character is looked at once, and what is too much is noticed at the
 * character that is too much: nothing longer than a row that is allowed is ever held.
 */
export class CsvRows {
  readonly #separator: string;
  readonly #limits: TableLimits;
  readonly #count: CellCount;
  #place: Place = "before";
  #cells: string[] = [];
  #cell = "";
  /** Where the open row begins, and the lines that its quoted cells go on for. */
  #line: number;
  #linesMore = 0;
  #isAfterReturn = false;

  constructor(separator: string, linesBefore: number, limits: TableLimits) {
    this.#separator = separator;
    this.#limits = limits;
    this.#count = new CellCount(limits);
    this.#line = linesBefore + 1;
  }

  *parse(text: string): Generator<TableRow> {
    let at = 0;
    while (at < text.length) {
      if (this.#place === "quoted") {
        at = this.#readQuoted(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      const isSecondOfTwo = this.#isAfterReturn && code === lineFeed;
      this.#isAfterReturn = code === carriageReturn;
      if (isSecondOfTwo) at += 1;
      else if (code === quoteCode) at = this.#readQuote(at);
      else if (code === carriageReturn || code === lineFeed) {
        const row = this.#endRow();
        if (row !== undefined) yield row;
        at += 1;
      } else if (text[at] === this.#separator) {
        this.#endCell();
        at += 1;
      } else at = this.#readPlain(text, at);
    }
  }

  *end(): Generator<TableRow> {
    if (this.#place === "quoted") throw this.#wrongQuotes();
    const row = this.#endRow();
    if (row !== undefined) yield row;
  }

  /** A quote opens a cell, closes it, or stands doubled for itself; anywhere else it is wrong. */
  #readQuote(at: number): number {
    if (this.#place === "plain") throw this.#wrongQuotes();
    if (this.#place === "behind") this.#append(quote);
    this.#place = "quoted";
    return at + 1;
  }

  #readQuoted(text: string, from: number): number {
    const end = text.indexOf(quote, from);
    this.#append(text.slice(from, end === -1 ? text.length : end));
    if (end === -1) return text.length;
    this.#place = "behind";
    return end + 1;
  }

  #readPlain(text: string, from: number): number {
    if (this.#place === "behind") throw this.#wrongQuotes();
    this.#place = "plain";
    let end = from + 1;
    while (end < text.length && !this.#endsPlain(text, end)) end += 1;
    this.#append(text.slice(from, end));
    return end;
  }

  #endsPlain(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    return (
      code === lineFeed ||
      code === carriageReturn ||
      code === quoteCode ||
      text[at] === this.#separator
    );
  }

  #append(text: string): void {
    this.#cell += text;
    const { cellCharsMax } = this.#limits;
    if (this.#cell.length > cellCharsMax)
      throw UnreadableFile.cellTooLong(this.#line, cellCharsMax);
  }

  #endCell(): void {
    const { columnsMax } = this.#limits;
    if (this.#cells.length >= columnsMax)
      throw UnreadableFile.tooManyColumns(this.#line, columnsMax);
    if (this.#place === "behind") this.#linesMore += this.#cell.match(/\r\n?|\n/g)?.length ?? 0;
    this.#count.add(this.#cell, this.#line);
    this.#cells.push(unguarded(this.#cell));
    this.#cell = "";
    this.#place = "before";
  }

  /** A line without anything is none. */
  #endRow(): TableRow | undefined {
    const line = this.#line;
    this.#count.checkLine(line);
    const isEmpty = this.#place === "before" && this.#cells.length === 0;
    if (!isEmpty) this.#endCell();
    this.#line += 1 + this.#linesMore;
    this.#linesMore = 0;
    if (isEmpty) return undefined;
    const cells = this.#cells;
    this.#cells = [];
    return { line, cells };
  }

  #wrongQuotes(): UnreadableFile {
    return new UnreadableFile({
      en: `the quotes of line ${this.#line} do not fit together. A cell that contains a quote is written "like ""this""".`,
      fr: `les guillemets de la ligne ${this.#line} ne vont pas ensemble. Une cellule qui en contient s’écrit "comme ""ceci""".`,
    });
  }
}
