import { UnreadableFile } from "./errors.ts";
import type { TableLimits } from "./limits.ts";

/** One row that is not empty. `line` is where a person finds it: the line of the text, or the row of the sheet. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Leaves empty rows out, and stops at the row that is one too many. */
export async function* rowsWithin(
  rows: AsyncIterable<TableRow>,
  { rowsMax, columnsMax, cellCharsMax }: TableLimits,
): AsyncGenerator<TableRow> {
  let count = 0;
  for await (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === "")) continue;
    count += 1;
    if (count > rowsMax) throw UnreadableFile.tooManyRows(rowsMax);
    if (row.cells.length > columnsMax) throw UnreadableFile.tooManyColumns(row.line, columnsMax);
    if (row.cells.some((cell) => cell.length > cellCharsMax))
      throw UnreadableFile.cellTooLong(row.line, cellCharsMax);
    yield row;
  }
}
