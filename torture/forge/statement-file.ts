import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { csvLine, csvWriter } from "../../src/spreadsheets/write-csv.ts";
import { columnNames, type ExportRow } from "../../src/statements/export/columns.ts";
import { statementFormat } from "../../src/statements/export/export-rows.ts";
import { cellsFor, headerFor } from "../../src/statements/export/present.ts";
import { checkOf, noRows, toCheckText } from "../../src/statements/export/row-check.ts";
import { type ExportFormat, openMark, signedFile } from "../../src/statements/file-signature.ts";
import type { LedgerKey } from "../../src/statements/seal.ts";
import { fileAt } from "../../src/statements/verify/file-source.ts";
import { openExport } from "../../src/statements/verify/open-export.ts";
import { findLayout, foundRows } from "../../src/statements/verify/row-layout.ts";

/** The rows of a CSV, to be changed. */
export async function rowsOf(path: string): Promise<ExportRow[]> {
  const opened = await openExport(await fileAt(path));
  const rows: ExportRow[] = [];
  for await (const { row } of foundRows(opened, await findLayout(opened)))
    if (row !== undefined) rows.push(row);
  return rows;
}

/** A CSV of these rows with all checks made anew, and a signature: one that stands elsewhere, or a key's. */
export async function writeRows(
  rows: readonly ExportRow[],
  signature: string | LedgerKey,
): Promise<Buffer> {
  let last = noRows(statementFormat, columnNames);
  const checked = rows.map((row) => {
    last = checkOf(last, row, columnNames);
    return cellsFor("program", { ...row, check: toCheckText(last) });
  });
  async function* sets() {
    yield checked;
  }
  const table = await buffer(Readable.from(csvWriter(headerFor("program"), sets(), "machine")));
  const signed = (mark: string) => {
    const row = [...cellsFor("program", { kind: "signature" }).slice(0, -1), { text: mark }];
    return Buffer.concat([table, Buffer.from(csvLine(row, "machine"))]);
  };
  return typeof signature === "string"
    ? signed(signature)
    : sign(signed(openMark("csv", signature)), "csv", signature);
}

/** Bytes that end with an open mark, signed. */
function sign(bytes: Buffer, format: ExportFormat, key: LedgerKey): Promise<Buffer> {
  async function* pieces() {
    yield bytes;
  }
  return buffer(Readable.from(signedFile(pieces(), format, key)));
}

/** The mark that a file ends with. */
export function markOf(bytes: Buffer): string {
  return /cauri file 1 \S+ \S+ \S+ \S{88}/.exec(bytes.subarray(-400).toString("latin1"))?.[0] ?? "";
}

/** The same bytes, with somebody else's mark in the place of the one they end with. */
export function replaceMark(bytes: Buffer, format: ExportFormat, key: LedgerKey): Promise<Buffer> {
  const mark = markOf(bytes);
  const at = bytes.lastIndexOf(mark, undefined, "latin1");
  const end = bytes.subarray(at + mark.length);
  const open = Buffer.from(openMark(format, key), "latin1");
  return sign(Buffer.concat([bytes.subarray(0, at), open, end]), format, key);
}
