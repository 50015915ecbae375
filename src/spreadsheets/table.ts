import { UnreadableFile } from "./errors.ts";
import type { TableLimits } from "./limits.ts";

/** One row that is not empty. `line` is where a person finds it: the line of the text, or the row of the sheet. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Adds up what the cells of a table hold, before anything else is done with them. */
export class CellCount {
  readonly #limits: TableLimits;
  #chars = 0;

  constructor(limits: TableLimits) {
    this.#limits = limits;
  }

  add(text: string, line: number): void {
    const { cellCharsMax } = this.#limits;
    if (text.length > cellCharsMax) throw UnreadableFile.cellTooLong(line, cellCharsMax);
    this.#chars += text.length;
    if (this.#chars > this.#limits.textCharsMax)
      throw UnreadableFile.tooMuchText(this.#limits.textCharsMax);
  }

  checkLine(line: number): void {
    if (line > this.#limits.linesMax) throw UnreadableFile.tooManyLines(this.#limits.linesMax);
  }
}

/** Leaves empty rows out, and stops at the row that is one too many. */
export async function* rowsWithin(
  rows: AsyncIterable<TableRow>,
  { rowsMax, columnsMax }: TableLimits,
): AsyncGenerator<TableRow> {
  let count = 0;
  for await (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === "")) continue;
    count += 1;
    if (count > rowsMax) throw UnreadableFile.tooManyRows(rowsMax);
    if (row.cells.length > columnsMax) throw UnreadableFile.tooManyColumns(row.line, columnsMax);
    yield row;
  }
}
