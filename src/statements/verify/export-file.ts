import type { TableLimits } from "../../spreadsheets/limits.ts";
import type { TableRow } from "../../spreadsheets/table.ts";
import type { ExportRow } from "../export/columns.ts";
import type { Reader } from "../export/present.ts";

/** A file with an export, of one of the three formats. It can be read as often as needed. */
export interface ExportFile {
  /** All rows of its table with the header, whatever stands there. */
  table(): AsyncIterable<TableRow>;
  /**
   * The first row at which the file is not, byte for byte, what is written for these rows; undefined when it is. Also what only
   * shows differently is found: the format of a cell, what is printed on a page.
   */
  findDifference(
    rows: AsyncIterable<Iterable<ExportRow>>,
    reader: Reader,
  ): Promise<number | undefined>;
}

/** What exports have: many rows, and cells as long as Excel allows. */
export const exportLimits: TableLimits = {
  fileBytesMax: Number.POSITIVE_INFINITY,
  unpackedBytesMax: 64 * 1024 ** 3,
  sharedCharsMax: 64 * 1024 * 1024,
  rowsMax: Number.POSITIVE_INFINITY,
  columnsMax: 256,
  cellCharsMax: 32_767,
};

/** Hands rows on one at a time, and knows how many were asked for: what is written meanwhile belongs to the last of them. */
export class CountedRows {
  count = 0;
  readonly #sets: AsyncIterable<Iterable<ExportRow>>;

  constructor(sets: AsyncIterable<Iterable<ExportRow>>) {
    this.#sets = sets;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Iterable<ExportRow>> {
    for await (const rows of this.#sets)
      for (const row of rows) {
        this.count += 1;
        yield [row];
      }
  }
}
