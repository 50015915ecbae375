import { hash } from "node:crypto";

/**
 * How a company's postings are chained. Nothing here asks a database, so that whoever holds an export can do the same.
 * `post_movements` (src/ledger/post-movements.sql) computes exactly this when money moves.
 */

/** What a posting says of one movement of money. */
export interface ChainedPosting {
  readonly number: number;
  readonly subjectId: string;
  readonly amount: number;
  /** Null where the movement does not touch what is available. */
  readonly availableAfter: number | null;
  readonly event: string;
  readonly debit: string;
  readonly credit: string;
  readonly at: Date;
}

/** Where a chain begins: behind the last posting that was made before there was a chain, 0 for a company that began with one. */
export interface ChainStart {
  readonly companyId: string;
  readonly after: number;
}

/** Everything of a posting, written in one way only: eight words, none of which can have a space in it. */
export function postingText(posting: ChainedPosting): string {
  const { number, subjectId, amount, availableAfter, event, debit, credit, at } = posting;
  return `${number} ${subjectId} ${amount} ${availableAfter ?? "-"} ${event} ${debit} ${credit} ${at.toISOString()}`;
}

export function leafOf(posting: ChainedPosting): Buffer {
  return sha256(postingText(posting));
}

/** The beginning of a leaf, kept with its posting. It proves nothing; it tells which posting of a set was changed. */
export function markOf(leaf: Buffer): number {
  return leaf.readInt32BE(0);
}

/** Postings that were made together. They touch the same two accounts, so all of them are lines of a statement or none is. */
export function digestOfSet(leaves: readonly Buffer[]): Buffer {
  return sha256(Buffer.concat(leaves));
}

/** The hash after a set. It stands for that set and for everything before it. */
export function nextHash(before: Buffer, digest: Buffer): Buffer {
  return sha256(Buffer.concat([before, digest]));
}

/** The hash before the first set. */
export function firstHash({ companyId, after }: ChainStart): Buffer {
  return sha256(`cauri ledger of ${companyId} after posting ${after}`);
}

function sha256(data: string | Buffer): Buffer {
  return hash("sha256", data, "buffer");
}
