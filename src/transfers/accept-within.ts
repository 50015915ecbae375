import type { Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { newNonce, orderedId } from "../kernel/ordered-id.ts";
import { refusalsIn } from "../lanes/verdicts.ts";
import {
  type BatchHeader,
  type RecipientLimit,
  type Submission,
  submitWithin,
  type TransferProblem,
} from "./submit-store.ts";
import type { NewTransfer } from "./transfer.ts";

export type { RecipientLimit } from "./submit-store.ts";

/** What was made, or why nothing was. */
export type Accepted =
  | { readonly id: string; readonly refusal?: never }
  | { readonly refusal: TransferProblem; readonly id?: never };

/** Transfers that somebody has judged already, by the price of that number. */
export interface Judged {
  readonly transfers: readonly NewTransfer[];
  readonly priceNumber: number;
  /** Undefined: it is one transfer, and no batch is made of it. */
  readonly batch: BatchHeader | undefined;
}

/**
 * Accepts a transfer or a batch as part of a larger transaction, whose commit decides about both. It takes the company's books
 * and holds them until then, so it comes last. A batch that is refused for money or references is an error that ends the
 * transaction: `refusalOf` says which.
 */
export async function acceptWithin(
  tx: Tx,
  companyId: string,
  { transfers, priceNumber, batch }: Judged,
  limit: RecipientLimit,
): Promise<Accepted> {
  const nonce = newNonce();
  const submissions = transfers.map(
    (transfer): Submission => ({ transfer, key: undefined, priceNumber }),
  );
  const row = await submitWithin(tx, companyId, nonce, submissions, batch, limit);
  const [refusal] = refusalsIn(row);
  if (refusal !== undefined) return { refusal: refusal.problem };
  return { id: orderedId(row.ms, batch === undefined ? row.base + 1 : row.base, nonce) };
}

/** Why the database took a batch back; undefined: something else went wrong. */
export function refusalOf(error: unknown): TransferProblem | undefined {
  return (
    {
      CA402: "insufficient_funds",
      CA409: "duplicate_reference",
      CA429: "quota_exceeded",
    } as const
  )[sqlState(error) ?? ""];
}
