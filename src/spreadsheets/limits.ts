/** How much of a file is read: whoever made it, reading takes no more memory than these allow. */
export interface TableLimits {
  /** Of a workbook as it was sent: it is held whole, for its parts come in any order. */
  readonly fileBytesMax: number;
  /** Of all parts of a workbook that are read, unpacked. */
  readonly unpackedBytesMax: number;
  /** Of the texts that a workbook's cells share: they are held while its rows are read. */
  readonly sharedCharsMax: number;
  readonly rowsMax: number;
  readonly columnsMax: number;
  readonly cellCharsMax: number;
  /** Of all cells together, each text counted as often as cells have it: a workbook writes it once and uses it everywhere. */
  readonly textCharsMax: number;
  /** Where the last row may stand; rows that are empty are counted too. */
  readonly linesMax: number;
}

export const tableLimits: TableLimits = {
  fileBytesMax: 32 * 1024 * 1024,
  unpackedBytesMax: 256 * 1024 * 1024,
  sharedCharsMax: 16 * 1024 * 1024,
  rowsMax: 200_000,
  columnsMax: 256,
  // Excel's own, as is the number of its rows.
  cellCharsMax: 32_767,
  textCharsMax: 128 * 1024 * 1024,
  linesMax: 1_048_576,
};
