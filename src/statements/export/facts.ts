import type { LineTotals } from "../statement.ts";

/** What an export says of itself in the row `opening`, as JSON in its cell `proof`. Moments are ISO texts, hashes hexadecimal. */
export interface OpeningFacts {
  readonly format: string;
  /** The names of the columns, and by which words each kind of row is called: whoever reads the file needs no other list. Format 1 does not say. */
  readonly columns?: readonly string[];
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
  readonly company: string;
  readonly companyName: string;
  readonly subCompany: string | null;
  readonly timeZone: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly opening: number;
  readonly closing: number;
  readonly count: number;
  readonly totals: readonly LineTotals[];
  /** The statement has the postings after `after` up to `upto`. */
  readonly after: number;
  readonly upto: number;
  /** No posting before this moment is missing at the end; null when none is certain. Earlier releases did not say. */
  readonly closedUntil?: string | null;
  readonly hashBefore: string | null;
  readonly hashAfter: string | null;
}

/** What is printed for people to compare: the beginning of the last check, in groups. */
export function verificationCode(digest: string): string {
  return digest
    .slice(0, 20)
    .toUpperCase()
    .replaceAll(/(.{5})(?=.)/g, "$1-");
}
