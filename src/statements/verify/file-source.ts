import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { TableLimits } from "../../spreadsheets/limits.ts";

/** A file that somebody wants verified. It can be read as often as needed. */
export interface FileSource {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` up to, and without, `end`. */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
  /** For whoever reads it in any order: its path, or all of it. */
  readonly whole: string | Buffer;
  readonly limits: FileLimits;
}

interface FileLimits extends TableLimits {
  /** Of an attachment of a PDF, unpacked: it is held whole. */
  readonly contentBytesMax: number;
}

/** What exports have: many rows, and cells as long as Excel allows. */
const fileLimits: FileLimits = {
  fileBytesMax: Number.POSITIVE_INFINITY,
  unpackedBytesMax: 64 * 1024 ** 3,
  sharedCharsMax: 64 * 1024 * 1024,
  rowsMax: Number.POSITIVE_INFINITY,
  columnsMax: 256,
  cellCharsMax: 32_767,
  textCharsMax: Number.POSITIVE_INFINITY,
  linesMax: Number.POSITIVE_INFINITY,
  contentBytesMax: 128 * 1024 * 1024,
};

/** What is in memory was sent by somebody: it unpacks to far less. An export of ours shares no texts. */
const memoryLimits: FileLimits = {
  ...fileLimits,
  unpackedBytesMax: 1024 ** 3,
  sharedCharsMax: 1024 * 1024,
  contentBytesMax: 32 * 1024 * 1024,
};

const pieceBytes = 64 * 1024;

export async function fileAt(path: string): Promise<FileSource> {
  const { size } = await stat(path);
  return {
    name: path,
    size,
    whole: path,
    limits: fileLimits,
    async *read(start = 0, end = size) {
      // A stream without bytes cannot be asked for.
      if (end > start)
        yield* createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Buffer>;
    },
  };
}

export function fileIn(name: string, bytes: Buffer): FileSource {
  return {
    name,
    size: bytes.length,
    whole: bytes,
    limits: memoryLimits,
    async *read(start = 0, end = bytes.length) {
      for (let from = start; from < end; from += pieceBytes)
        yield bytes.subarray(from, Math.min(end, from + pieceBytes));
    },
  };
}
