import { once } from "node:events";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { type Entry, fromBuffer, type Options, open, type ZipFile } from "yauzl";
import { UnreadableFile } from "./errors.ts";

/** A workbook has a dozen parts; one with pictures and many sheets has some hundreds. */
const partsMax = 2_000;

/** Tables become a tenth or a twentieth of their size; what becomes far less was made to unpack. */
const ratioMax = 200;
/** Up to here whatever it unpacks to is little. */
const anyRatioBytes = 16 * 1024 * 1024;

/** The parts of a zip archive by name. An open file is closed with `close`. */
export interface Zip {
  readonly names: readonly string[];
  /** Of all parts together, as the archive says; a part that has another size cannot be read. */
  readonly unpackedBytes: number;
  has(name: string): boolean;
  read(name: string): AsyncIterable<Buffer>;
  close(): void;
}

const options: Options = { lazyEntries: true, autoClose: false };

/**
 * Opens an archive that is in memory, or a file by its path.
 *
 * Of all parts together no more than `unpackedBytesMax` bytes are unpacked: sizes are counted as a part is opened, and a part
 * that unpacks to another size than it says is refused while it is read.
 */
export async function openZip(source: Buffer | string, unpackedBytesMax: number): Promise<Zip> {
  const file = await (typeof source === "string"
    ? promisify<string, Options, ZipFile>(open)(source, options)
    : promisify<Buffer, Options, ZipFile>(fromBuffer)(source, options)
  ).catch((error: unknown) => {
    throw isSystemError(error) ? error : UnreadableFile.broken("zip", { cause: error });
  });
  try {
    return readerOf(file, await listParts(file), unpackedBytesMax);
  } catch (error) {
    file.close();
    throw error;
  }
}

function readerOf(file: ZipFile, parts: ReadonlyMap<string, Entry>, unpackedBytesMax: number): Zip {
  let unpackedBytes = 0;
  return {
    names: [...parts.keys()],
    unpackedBytes: [...parts.values()].reduce((sum, part) => sum + part.uncompressedSize, 0),
    has: (name) => parts.has(name),
    close: () => file.close(),
    async *read(name) {
      const part = parts.get(name);
      if (part === undefined) throw UnreadableFile.broken(`${name} is missing`);
      unpackedBytes += part.uncompressedSize;
      if (part.uncompressedSize > Math.max(anyRatioBytes, part.compressedSize * ratioMax))
        throw UnreadableFile.broken(`${name} unpacks to more than ${ratioMax} times its size`);
      if (unpackedBytes > unpackedBytesMax)
        throw UnreadableFile.tooLarge({
          en: `it unpacks to more than ${unpackedBytesMax} bytes`,
          fr: `une fois décompressé, il dépasse ${unpackedBytesMax} octets`,
        });
      try {
        const stream = await promisify<Entry, Readable>(file.openReadStream.bind(file))(part);
        yield* stream as AsyncIterable<Buffer>;
      } catch (error) {
        throw UnreadableFile.broken(name, { cause: error });
      }
    },
  };
}

async function listParts(file: ZipFile): Promise<Map<string, Entry>> {
  if (file.entryCount > partsMax) throw UnreadableFile.broken(`more than ${partsMax} parts`);
  const parts = new Map<string, Entry>();
  const ended = new AbortController();
  file.once("end", () => ended.abort());
  while (!ended.signal.aborted) {
    const part = await nextPart(file, ended.signal);
    if (part === undefined) break;
    if (parts.has(part.fileName)) throw UnreadableFile.broken(`${part.fileName} twice`);
    parts.set(part.fileName, part);
  }
  return parts;
}

async function nextPart(file: ZipFile, ended: AbortSignal): Promise<Entry | undefined> {
  const entry = once(file, "entry", { signal: ended });
  file.readEntry();
  try {
    const [part] = (await entry) as [Entry];
    return part;
  } catch (error) {
    if (ended.aborted) return undefined;
    throw UnreadableFile.broken("zip", { cause: error });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
