import { tableLimits } from "../spreadsheets/limits.ts";
import { readTable } from "../spreadsheets/read-table.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import { payrollBytesMax, payrollRowsMax } from "./draft.ts";

/** A file as somebody has sent it. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const unpackedBytesMax = 64 * 1024 * 1024;
/** Two thousand characters for each row. */
const textCharsMax = 10 * 1024 * 1024;

/** The rows of a file; throws UnreadableFile. The headings count as one. What stands under none of them is left out. */
export async function readFileRows({ name, bytes }: SentFile): Promise<TableRow[]> {
  const limits = {
    ...tableLimits,
    fileBytesMax: payrollBytesMax,
    unpackedBytesMax,
    rowsMax: payrollRowsMax + 1,
    textCharsMax,
  };
  const rows: TableRow[] = [];
  for await (const row of readTable(bytes, name, limits))
    rows.push(rows[0] === undefined ? row : underHeadings(rows[0], row));
  return rows;
}

/** One cell beyond the headings stays where there is any: it is said to be one too many. */
function underHeadings(headings: TableRow, { line, cells }: TableRow): TableRow {
  const under = headings.cells.flatMap((heading, place) => {
    if (place >= cells.length) return [];
    return heading.trim() === "" ? "" : (cells[place] ?? "");
  });
  const beyond = cells.slice(headings.cells.length).find((cell) => cell.trim() !== "");
  return { line, cells: beyond === undefined ? under : [...under, beyond] };
}
