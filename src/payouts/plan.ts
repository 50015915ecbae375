import { createHash } from "node:crypto";
import type { LeftOut } from "./leave-out.ts";
import { chunksOf } from "./paymaster.ts";
import type { Payout } from "./payout.ts";

/**
 * What is going to be paid, and how far it has come. It is on disk before money moves, and after every chunk: whoever begins
 * again goes on there. It is only a hint: what has been paid is known by the references, which the service pays once.
 */
export interface Plan {
  readonly version: 1;
  /** SHA-256 of the file. */
  readonly fileHash: string;
  readonly file: string;
  readonly companyId: string;
  /** What whoever began it chose to leave out: whoever goes on leaves out the same. */
  readonly leftOut?: LeftOut;
  readonly count: number;
  readonly total: number;
  readonly fees: number;
  readonly chunkRows: number;
  /** Rows that the service has accepted, from the first on. */
  readonly sentCount: number;
  readonly startedAt: string;
  /** When the outcome of every row was known. */
  readonly endedAt: string | null;
}

/** Small enough for one request, large enough that a payroll is a few of them. */
export const chunkRowsDefault = 1_000;

export interface Chunk {
  /** Of the first row, counted from 0. */
  readonly start: number;
  readonly payouts: readonly Payout[];
}

export function* chunksOfPlan(
  { chunkRows }: Pick<Plan, "chunkRows">,
  payouts: readonly Payout[],
): Generator<Chunk> {
  let start = 0;
  for (const chunk of chunksOf(payouts, chunkRows)) {
    yield { start, payouts: chunk };
    start += chunk.length;
  }
}

/** The same for the same payouts, and for no others. */
export function keyOf(payouts: readonly Payout[]): string {
  const hash = createHash("sha256");
  for (const { reference, msisdn, amount, description } of payouts)
    hash.update(`${JSON.stringify([reference, msisdn, amount, description])}\n`);
  return `payout-${hash.digest("hex")}`;
}
