import { UnreadableFile } from "./errors.ts";
import { type TableLimits, tableLimits } from "./limits.ts";
import { openZip } from "./open-zip.ts";
import { readCsv } from "./read-csv.ts";
import { readXlsx } from "./read-xlsx.ts";
import { rowsWithin, type TableRow } from "./table.ts";

const zipStart = Buffer.from("PK\u0003\u0004");
/** How workbooks before 2007 begin, and those that are locked with a password. */
const oldWorkbookStart = Buffer.from("d0cf11e0", "hex");
const pieceBytes = 64 * 1024;

/**
 * Reads the rows of a CSV file, or of a workbook's first sheet, as texts; empty rows are left out.
 *
 * The content says what it is; `name` is for the message when it is neither. Throws UnreadableFile.
 */
export async function* readTable(
  bytes: Buffer | AsyncIterable<Buffer>,
  name: string,
  limits: TableLimits = tableLimits,
): AsyncGenerator<TableRow> {
  const chunks = Buffer.isBuffer(bytes) ? piecesOf(bytes) : bytes[Symbol.asyncIterator]();
  try {
    yield* readChunks(chunks, name, limits);
  } finally {
    await chunks.return?.();
  }
}

async function* readChunks(
  chunks: AsyncIterator<Buffer>,
  name: string,
  limits: TableLimits,
): AsyncGenerator<TableRow> {
  const [head, rest] = await takeHead(chunks);
  if (head.subarray(0, 4).equals(zipStart)) {
    const zip = await openZip(await gather(rest, limits.fileBytesMax), limits.unpackedBytesMax);
    yield* rowsWithin(readXlsx(zip, limits), limits);
  } else if (head.subarray(0, 4).equals(oldWorkbookStart)) {
    throw new UnreadableFile({
      en: `${name} is locked with a password, or of the old kind .xls. Save it without one, as .xlsx or CSV.`,
      fr: `${name} est protégé par un mot de passe ou au vieux format .xls. Enregistrez-le sans mot de passe, en .xlsx ou en CSV.`,
    });
  } else if (head.subarray(0, 1024).includes(0) && head[0] !== 0xff) {
    throw new UnreadableFile({
      en: `${name} is neither CSV nor .xlsx.`,
      fr: `${name} n’est ni un CSV ni un .xlsx.`,
    });
  } else {
    yield* rowsWithin(readCsv(rest, limits), limits);
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield bytes.subarray(from, from + pieceBytes);
}

/** The first bytes, and everything including them. */
async function takeHead(chunks: AsyncIterator<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return [head, all()];
}

async function gather(chunks: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw UnreadableFile.tooLarge({
        en: `it is larger than ${bytesMax} bytes`,
        fr: `il dépasse ${bytesMax} octets`,
      });
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
