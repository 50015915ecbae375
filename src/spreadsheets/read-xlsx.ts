import { UnreadableFile } from "./errors.ts";
import type { TableLimits } from "./limits.ts";
import type { Zip } from "./open-zip.ts";
import { readXml } from "./read-xml.ts";
import { toDateText, toPlainNumber } from "./sheet-numbers.ts";
import { fromSheetText } from "./sheet-text.ts";
import { CellCount, type TableRow } from "./table.ts";
import { readWorkbook, TextElements, type Workbook } from "./workbook.ts";

/** Reads the rows of the first sheets that are not hidden; one, unless told otherwise. */
export async function* readXlsx(
  zip: Zip,
  limits: TableLimits,
  sheetsMax = 1,
): AsyncGenerator<TableRow> {
  const workbook = await readWorkbook(zip, limits);
  const count = new CellCount(limits);
  if (workbook.sheets.length === 0) throw UnreadableFile.broken("no sheet");
  for (const part of workbook.sheets.slice(0, sheetsMax)) {
    const sheet = new SheetListener(workbook, limits, count);
    try {
      for await (const _ of readXml(zip.read(part), part, sheet)) yield* sheet.takeRows();
    } catch (error) {
      // The rows before the place that cannot be read.
      yield* sheet.takeRows();
      throw error;
    }
  }
}

/** Hears a sheet's elements and makes rows of them. */
class SheetListener {
  readonly #workbook: Workbook;
  readonly #limits: TableLimits;
  readonly #count: CellCount;
  readonly #reading = new TextElements();
  #rows: TableRow[] = [];
  #line = 0;
  /** Of the row that is open. */
  #cells: string[] | undefined;
  #column = 0;
  #type = "n";
  #style = 0;
  #inValue = false;
  #text = "";

  constructor(workbook: Workbook, limits: TableLimits, count: CellCount) {
    this.#workbook = workbook;
    this.#limits = limits;
    this.#count = count;
  }

  takeRows(): readonly TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#reading.open(name);
    if (name === "row") this.#openRow(attributes["r"]);
    if (name === "c") this.#openCell(attributes);
    if (name === "v") this.#inValue = true;
  }

  text(piece: string): void {
    if (!this.#inValue && !this.#reading.isText) return;
    this.#text += piece;
    if (this.#text.length > this.#limits.cellCharsMax)
      throw UnreadableFile.cellTooLong(this.#line, this.#limits.cellCharsMax);
  }

  close(name: string): void {
    this.#reading.close(name);
    if (name === "v") this.#inValue = false;
    if (name === "c") this.#closeCell();
    if (name === "row") this.#closeRow();
  }

  /** A row or a cell that does not say where it stands follows the one before it. */
  #openRow(number: string | undefined): void {
    const line = number === undefined ? this.#line + 1 : Number(number);
    if (!Number.isSafeInteger(line) || line <= this.#line)
      throw UnreadableFile.broken(`row ${number ?? line}`);
    this.#count.checkLine(line);
    this.#line = line;
    this.#cells = [];
    this.#column = -1;
  }

  #closeRow(): void {
    const cells = this.#cells ?? [];
    if (cells.length > 0) this.#rows.push({ line: this.#line, cells });
    this.#cells = undefined;
  }

  #openCell({ r, t = "n", s = "0" }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (this.#column >= this.#limits.columnsMax)
      throw UnreadableFile.tooManyColumns(this.#line, this.#limits.columnsMax);
    this.#type = t;
    this.#style = Number(s);
    this.#text = "";
  }

  #closeCell(): void {
    const cells = this.#cells;
    if (cells === undefined) throw UnreadableFile.broken("a cell outside of rows");
    const text = this.#cellText();
    this.#count.add(text, this.#line);
    // An empty cell far to the right does not make the row long.
    if (text === "" && cells.length <= this.#column) return;
    while (cells.length < this.#column) cells.push("");
    cells[this.#column] = text;
  }

  #cellText(): string {
    const text = this.#text;
    const { sharedTexts, dateStyles, from1904 } = this.#workbook;
    if (text === "") return "";
    if (this.#type === "s") {
      const shared = sharedTexts[Number(text)];
      if (shared === undefined) throw UnreadableFile.broken(`shared text ${text.slice(0, 20)}`);
      return shared;
    }
    if (this.#type === "b") return text === "1" ? "TRUE" : "FALSE";
    if (this.#type !== "n") return fromSheetText(text);
    return dateStyles[this.#style] === true ? toDateText(text, from1904) : toPlainNumber(text);
  }
}

/** The column of a place such as AB12, counted from 0. */
function columnOf(place: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(place)?.[1];
  if (letters === undefined) throw UnreadableFile.broken(`cell ${place.slice(0, 20)}`);
  return (
    letters.split("").reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
  );
}
