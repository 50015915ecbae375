import { parentPort, workerData } from "node:worker_threads";
import { UnreadableFile } from "../../spreadsheets/errors.ts";
import { NotAnExport, UnreadableWitness } from "./errors.ts";
import { fileIn } from "./file-source.ts";
import { witnessIn } from "./read-witness.ts";
import { verifyFile } from "./verify-file.ts";
import type { VerifyAnswer, VerifyQuestion } from "./verify-in-thread.ts";

// The program of a thread that verifies one file of a stranger and ends.

parentPort?.postMessage(await answer(workerData as VerifyQuestion));

async function answer({ name, bytes, kept, keys }: VerifyQuestion): Promise<VerifyAnswer> {
  try {
    const witness = kept === undefined ? { seals: [] } : witnessIn(kept);
    return { found: await verifyFile(fileIn(name, Buffer.from(bytes)), { keys, ...witness }) };
  } catch (error) {
    if (error instanceof UnreadableWitness) return { refused: "kept" };
    if (error instanceof NotAnExport || error instanceof UnreadableFile) return { refused: "file" };
    throw error;
  }
}
