import { hash } from "node:crypto";

/**
 * How a company's postings are chained. Nothing here asks a database, so that whoever holds an export can do the same.
 * `add_postings` (src/ledger/post-movements.sql) computes exactly this when money moves.
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

/**
 * Postings that were made in one call, written in one way only. They have everything in common but their subjects and
 * amounts, so all of them are lines of a statement or none is. Three lines: the first number, event, debit, credit, time
 * and what was available before them (or -); the subjects; the amounts.
 */
export function setText(set: readonly ChainedPosting[]): string {
  const [first] = set;
  if (first === undefined) return "";
  const before = availableBefore(first) ?? "-";
  const lines = [
    `${first.number} ${mannerOf(first)} ${before}`,
    set.map(({ subjectId }) => subjectId).join(" "),
    set.map(({ amount }) => amount).join(" "),
  ];
  // What never was a set has a text of its own, so that its digest is none that was chained.
  if (!isRegular(set)) lines.push("irregular");
  return lines.join("\n");
}

export function digestOfSet(set: readonly ChainedPosting[]): Buffer {
  return sha256(setText(set));
}

/** The hash after a set. It stands for that set and for everything before it. */
export function nextHash(before: Buffer, digest: Buffer): Buffer {
  return sha256(Buffer.concat([before, digest]));
}

/** The hash before the first set. */
export function firstHash({ companyId, after }: ChainStart): Buffer {
  return sha256(`cauri ledger of ${companyId} after posting ${after}`);
}

/** Whether numbers and balances follow from one another, and everything else is the same. */
function isRegular(set: readonly ChainedPosting[]): boolean {
  return set.every((posting, place) => {
    const before = set[place - 1];
    return (
      before === undefined ||
      (posting.number === before.number + 1 &&
        mannerOf(posting) === mannerOf(before) &&
        availableBefore(posting) === before.availableAfter)
    );
  });
}

function mannerOf({ event, debit, credit, at }: ChainedPosting): string {
  return `${event} ${debit} ${credit} ${at.toISOString()}`;
}

function availableBefore({ availableAfter, credit, amount }: ChainedPosting): number | null {
  if (availableAfter === null) return null;
  return availableAfter - (credit === "available" ? amount : -amount);
}

function sha256(data: string | Buffer): Buffer {
  return hash("sha256", data, "buffer");
}
