import { BoundedThreads } from "../../kernel/bounded-threads.ts";
import { ThreadExceeded } from "../../kernel/errors.ts";
import type { PublicLedgerKey } from "../seal.ts";
import type { Verification } from "./verify-file.ts";

/** What the thread is told, and what it answers. */
export interface VerifyQuestion {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Keys or seals, as somebody has kept them: JSON. */
  readonly kept: string | undefined;
  /** The operator's, where no others were kept. */
  readonly keys: readonly PublicLedgerKey[];
}
export type VerifyAnswer =
  | { readonly found: Verification }
  /** Something that is no export, or nothing that was kept; or more work than one file is given. */
  | { readonly refused: "file" | "kept" | "work" };

const limits = { timeMaxMs: 15_000, memoryMaxMb: 128 };
const threads = new BoundedThreads<VerifyQuestion, VerifyAnswer>(
  "dist/src/statements/verify/verify-thread.js",
  1,
);

/** Verifies a stranger's file in a thread of its own, one at a time. */
export async function verifyInThread(question: VerifyQuestion): Promise<VerifyAnswer> {
  return threads.ask(question, [question.bytes.buffer], limits).catch((error: unknown) => {
    if (error instanceof ThreadExceeded) return { refused: "work" };
    throw error;
  });
}
