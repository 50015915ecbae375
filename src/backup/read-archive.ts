import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  type ArchiveHeader,
  type ArchiveTrailer,
  archiveFormat,
  archiveVersion,
  countRows,
  sealBytes,
  sealOf,
  type TableName,
  type TableSum,
} from "./archive.ts";
import { ArchiveDamaged, ArchiveTooNew, ArchiveUnreadable } from "./errors.ts";
import { TextReader } from "./text-reader.ts";

export interface ArchiveReading {
  /** Takes the rows of a table, all of them. Without it they are only checked. */
  readonly take?: (table: TableName, rows: AsyncIterable<Buffer>) => Promise<void>;
  /** Told how many bytes of the file have been read, of how many. */
  readonly tell?: (done: number, total: number) => void;
}

export interface ArchiveContents {
  readonly header: ArchiveHeader;
  readonly sums: readonly TableSum[];
}

const pieceBytes = 64 * 1024;

/** Reads an archive from end to end, in bounded memory. What it was told counts only when this returns. */
export async function readArchive(
  path: string,
  reading: ArchiveReading = {},
): Promise<ArchiveContents> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw new ArchiveUnreadable(path, { cause: error });
  });
  try {
    return await readOpen(file, path, reading);
  } catch (error) {
    throw isDamage(error) ? new ArchiveDamaged(path, error.message, { cause: error }) : error;
  } finally {
    await file.close();
  }
}

async function readOpen(
  file: FileHandle,
  path: string,
  { take, tell }: ArchiveReading,
): Promise<ArchiveContents> {
  const found = await file.stat();
  if (!found.isFile()) throw new ArchiveUnreadable(path);
  const packedBytes = found.size - sealBytes;
  if (packedBytes <= 0) throw new RangeError("it ends too early");
  const digest = createHash("sha256");
  const packed = filePieces(file, packedBytes, digest, (done) => tell?.(done, packedBytes));
  // What goes wrong on the way is told to whoever reads at its end.
  const text = pipeline(packed, createGunzip({ chunkSize: pieceBytes }), () => {});
  try {
    const contents = await readText(new TextReader(text), path, take);
    const seal = Buffer.alloc(sealBytes);
    await file.read(seal, 0, sealBytes, packedBytes);
    if (!seal.equals(sealOf(digest.digest("hex"))))
      throw new RangeError("its seal is not that of its contents");
    return contents;
  } finally {
    text.destroy();
  }
}

async function readText(
  reader: TextReader,
  path: string,
  take: ArchiveReading["take"],
): Promise<ArchiveContents> {
  const header = await readHeader(reader, path);
  const sums: TableSum[] = [];
  for (const table of header.tables) {
    const name = await readJson<TableName>(reader);
    if (name.table !== table || !isTexts(name.columns))
      throw new RangeError(`the table ${table} is not where it should be`);
    sums.push(await readTable(reader, name, take));
  }
  const trailer = await readJson<ArchiveTrailer>(reader);
  if (!(await reader.isAtEnd())) throw new RangeError("something was added at its end");
  if (JSON.stringify(trailer.sums) !== JSON.stringify(sums))
    throw new RangeError("its rows are not those that were counted when it was written");
  return { header, sums };
}

async function readTable(
  reader: TextReader,
  name: TableName,
  take: ArchiveReading["take"] = drain,
): Promise<TableSum> {
  const digest = createHash("sha256");
  let rows = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of reader.rows()) {
      digest.update(piece);
      rows += countRows(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  await take(name, counted());
  return { table: name.table, rows, bytes, sha256: digest.digest("hex") };
}

async function drain(_: TableName, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of rows) void piece;
}

async function readHeader(reader: TextReader, path: string): Promise<ArchiveHeader> {
  const header = await readJson<ArchiveHeader>(reader);
  if (header.format !== archiveFormat) throw new RangeError("Cauri has not written it");
  if (header.version > archiveVersion)
    throw new ArchiveTooNew(
      path,
      `its form is number ${header.version}, this one knows ${archiveVersion}`,
    );
  if (!isTexts(header.tables) || !isTexts(header.masterKeys) || !Array.isArray(header.migrations))
    throw new RangeError("its first line is not as Cauri writes it");
  return header;
}

async function readJson<Value>(reader: TextReader): Promise<Value> {
  const value: unknown = JSON.parse(await reader.line());
  if (typeof value !== "object" || value === null) throw new RangeError("a line of it is no JSON");
  return value as Value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

async function* filePieces(
  file: FileHandle,
  bytes: number,
  digest: Hash,
  tell: (done: number) => void,
): AsyncGenerator<Buffer> {
  let done = 0;
  while (done < bytes) {
    const piece = Buffer.alloc(Math.min(pieceBytes, bytes - done));
    const { bytesRead } = await file.read(piece, 0, piece.length, done);
    if (bytesRead === 0) throw new RangeError("it was cut while it was read");
    done += bytesRead;
    digest.update(piece.subarray(0, bytesRead));
    tell(done);
    yield piece.subarray(0, bytesRead);
  }
}

/** What zlib and JSON say of something that is not theirs, and what is said above. */
function isDamage(error: unknown): error is Error {
  if (error instanceof RangeError || error instanceof SyntaxError) return true;
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("Z_");
}
