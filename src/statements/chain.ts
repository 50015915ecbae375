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
  /** See `factsText`; null where the posting has none, and undefined where nobody asks. */
  readonly facts?: string | null | undefined;
  /** Whether what it was for bears the same time. */
  readonly isDated?: boolean | undefined;
}

/** What a line of a statement shows beside its posting, under the names of the export's columns. */
export interface ShownFacts {
  readonly fee: number;
  readonly chargeId: string | null;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly msisdn: string | null;
  readonly subCompanyId: string | null;
  readonly batchId: string | null;
  readonly memo: string | null;
}

/**
 * Sets of releases before say nothing of recipients, references, fees and the like: the text of their version is the first. Which one a
 * set has is told by its hash, and by nothing that somebody could set: no set of the second version has the hash of one of the first.
 */
export type SetVersion = 1 | 2;
const setVersions: readonly SetVersion[] = [2, 1];

/** Where a chain begins: behind the last posting that was made before there was a chain, 0 for a company that began with one. */
export interface ChainStart {
  readonly companyId: string;
  readonly after: number;
}

/**
 * Postings that were made in one call, written in one way only. They have everything in common but their subjects, amounts and
 * facts, so all of them are lines of a statement or none is. Three lines: the first number, event, debit, credit, time
 * and what was available before them (or -); the subjects; the amounts. The second version has a line before them, and behind them a
 * line with the facts of each posting that has any.
 */
export function setText(set: readonly ChainedPosting[], version: SetVersion): string {
  const [first] = set;
  if (first === undefined) return "";
  const before = availableBefore(first) ?? "-";
  const lines = [
    ...(version === 1 ? [] : ["cauri set 2"]),
    `${first.number} ${mannerOf(first)} ${before}`,
    set.map(({ subjectId }) => subjectId).join(" "),
    set.map(({ amount }) => amount).join(" "),
    ...(version === 1 ? [] : set.flatMap(({ facts }) => facts ?? [])),
  ];
  // What never was a set has a text of its own, so that its digest is none that was chained.
  if (!isRegular(set, version)) lines.push("irregular");
  return lines.join("\n");
}

export function digestOfSet(set: readonly ChainedPosting[], version: SetVersion): Buffer {
  return sha256(setText(set, version));
}

/** The version of a set, when the hash after it is known; undefined when it is not what was chained. */
export function versionOf(
  set: readonly ChainedPosting[],
  before: Buffer,
  after: Buffer,
): SetVersion | undefined {
  return setVersions.find((version) => nextHash(before, digestOfSet(set, version)).equals(after));
}

/**
 * The facts of a posting, as facts_text (src/ledger/facts.sql) makes them: JSON without blanks, in this order and without what is null.
 * `hidden` is the SHA-256 of what a statement does not show.
 */
export function factsText(shown: ShownFacts, hidden: string | undefined): string {
  const { fee, chargeId, reference, externalId, msisdn, subCompanyId, batchId, memo } = shown;
  const texts = { chargeId, reference, externalId, msisdn, subCompanyId, batchId, memo, hidden };
  const given = Object.entries(texts).filter(([, text]) => text !== null && text !== "");
  return JSON.stringify({ fee, ...Object.fromEntries(given) });
}

/** The hash after a set. It stands for that set and for everything before it. */
export function nextHash(before: Buffer, digest: Buffer): Buffer {
  return sha256(Buffer.concat([before, digest]));
}

/** The hash before the first set. */
export function firstHash({ companyId, after }: ChainStart): Buffer {
  return sha256(`cauri ledger of ${companyId} after posting ${after}`);
}

/** Of the facts of a posting: the digest of what is not shown. */
export function hiddenOf(facts: string | null): string | undefined {
  return /,"hidden":"([0-9a-f]{64})"\}$/.exec(facts ?? "")?.[1];
}

/** Whether numbers and balances follow from one another, and everything else is the same. */
function isRegular(set: readonly ChainedPosting[], version: SetVersion): boolean {
  return set.every((posting, place) => {
    const before = set[place - 1];
    if (version === 2 && posting.isDated === false) return false;
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
