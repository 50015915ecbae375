import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { UnreadableFile } from "../spreadsheets/errors.ts";
import type { TableRow } from "../spreadsheets/table.ts";

/** Of a draft's rows as text. A file of ten megabytes is not much longer as JSON. */
const textBytesMax = 16 * 1024 * 1024;
/** Earlier releases kept longer ones. */
const keptBytesMax = 64 * 1024 * 1024;
const pieceChars = 64 * 1024;
const newline = 0x0a;

/** The rows of a spreadsheet as they are kept: a line of JSON for each. Throws UnreadableFile when they are too long for that. */
export async function packRows(rows: readonly TableRow[]): Promise<Buffer> {
  const packed: Buffer[] = [];
  await pipeline(linesOf(rows), createGzip(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) packed.push(piece);
  });
  return Buffer.concat(packed);
}

/** Written in pieces: what is too long is noticed before more of it is made. */
function* linesOf(rows: readonly TableRow[]): Generator<Buffer> {
  let bytes = 0;
  let text = "";
  const take = () => {
    const piece = Buffer.from(text);
    text = "";
    bytes += piece.length;
    if (bytes > textBytesMax) throw UnreadableFile.tooMuchText(textBytesMax);
    return piece;
  };
  for (const { line, cells } of rows) {
    text += `${JSON.stringify([line, ...cells])}\n`;
    if (text.length >= pieceChars) yield take();
  }
  if (text !== "") yield take();
}

export async function unpackRows(packed: Buffer): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  let bytes = 0;
  let begun: Buffer[] = [];
  const add = (line: Buffer) => {
    const [place, ...cells] = JSON.parse(line.toString("utf8")) as [number, ...string[]];
    rows.push({ line: place, cells });
  };
  await pipeline([packed], createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > keptBytesMax) throw new RangeError("the rows are longer than any that were kept");
      let from = 0;
      for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
        add(Buffer.concat([...begun, piece.subarray(from, end)]));
        begun = [];
        from = end + 1;
      }
      if (from < piece.length) begun.push(piece.subarray(from));
    }
  });
  return rows;
}
