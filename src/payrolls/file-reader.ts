import { BoundedThreads, type ThreadLimits } from "../kernel/bounded-threads.ts";
import { ThreadExceeded } from "../kernel/errors.ts";
import type { Sentence } from "../kernel/language.ts";
import { UnreadableFile } from "../spreadsheets/errors.ts";
import { FileNotRead } from "./errors.ts";
import type { SentFile } from "./read-file-rows.ts";

/** What the thread is told, and what it answers. */
export interface FileQuestion {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
export type FileAnswer =
  | { readonly packed: Uint8Array; readonly fileHash: Uint8Array }
  | { readonly why: Sentence };

/** A file that was read: its rows as they are kept. */
export interface ReadFile {
  readonly name: string;
  readonly packed: Buffer;
  /** SHA-256 of the file as it was sent. */
  readonly fileHash: Buffer;
}

/** The rows of the largest file that is allowed take some eighty MB. */
const readingLimits: ThreadLimits = { timeMaxMs: 20_000, memoryMaxMb: 160 };
const threads = new BoundedThreads<FileQuestion, FileAnswer>("dist/src/payrolls/read-file.js", 2);

/** Reads a spreadsheet in a thread of its own. Throws UnreadableFile. */
export async function readInThread(file: SentFile, limits = readingLimits): Promise<ReadFile> {
  const bytes = new Uint8Array(file.bytes);
  const answer = await threads
    .ask({ name: file.name, bytes }, [bytes.buffer], limits)
    .catch((error: unknown) => {
      if (error instanceof ThreadExceeded) throw UnreadableFile.tooMuchWork();
      throw new FileNotRead({ cause: error });
    });
  if ("why" in answer) throw new UnreadableFile(answer.why);
  return {
    name: file.name,
    packed: Buffer.from(answer.packed.buffer),
    fileHash: Buffer.from(answer.fileHash.buffer),
  };
}
