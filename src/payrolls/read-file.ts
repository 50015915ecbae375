import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { UnreadableFile } from "../spreadsheets/errors.ts";
import { packRows } from "./cells.ts";
import type { FileAnswer, FileQuestion } from "./file-reader.ts";
import { readFileRows } from "./read-file-rows.ts";

// The program of a thread that reads one file and ends: whatever the file does to it, it does to nobody else.

const { name, bytes } = workerData as FileQuestion;
parentPort?.postMessage(await answer());

async function answer(): Promise<FileAnswer> {
  try {
    const rows = await readFileRows({ name, bytes: Buffer.from(bytes) });
    return {
      packed: new Uint8Array(await packRows(rows)),
      fileHash: new Uint8Array(createHash("sha256").update(bytes).digest()),
    };
  } catch (error) {
    if (error instanceof UnreadableFile) return { why: error.why };
    throw error;
  }
}
