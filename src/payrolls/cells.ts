import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { TableRow } from "../spreadsheets/table.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Of a draft's rows as text. A file of ten megabytes is not much longer as JSON. */
const textBytesMax = 64 * 1024 * 1024;

/** The rows of a spreadsheet as they are kept: a line of JSON for each. */
export async function packRows(rows: readonly TableRow[]): Promise<Buffer> {
  const lines = rows.map(({ line, cells }) => `${JSON.stringify([line, ...cells])}\n`);
  return pack(lines.join(""));
}

export async function unpackRows(packed: Buffer): Promise<TableRow[]> {
  const text = (await unpack(packed, { maxOutputLength: textBytesMax })).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [place, ...cells] = JSON.parse(line) as [number, ...string[]];
      return { line: place, cells };
    });
}
