import type { PublicLedgerKey } from "../seal.ts";
import type { LineTotals } from "../statement.ts";

/** What an export says of itself in the row `opening`, as JSON in its cell `proof`. Moments are ISO texts, hashes hexadecimal. */
export interface OpeningFacts {
  readonly format: "cauri statement 1";
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
  readonly hashBefore: string | null;
  readonly hashAfter: string | null;
}

/** In the row `signature`: who signed the check of the row before. */
export interface SignatureFacts {
  readonly key: PublicLedgerKey;
  readonly signature: string;
}

/** What is signed at the end of an export: everything before it, by its last check. */
export function signedText(check: string): string {
  return `cauri statement 1\n${check}\n`;
}

/** What is printed for people to compare: the beginning of what was signed, in groups. */
export function verificationCode(digest: string): string {
  return digest
    .slice(0, 20)
    .toUpperCase()
    .replaceAll(/(.{5})(?=.)/g, "$1-");
}
