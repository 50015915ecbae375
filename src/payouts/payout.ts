/** What a column of the file may say about a payout. */
export type Field = "phone" | "amount" | "reference" | "description";

/** What a row of the file asks for. */
export interface Payout {
  /** Where a person finds it: the line of the text, or the row of the sheet. */
  readonly line: number;
  /** Digits with country code. */
  readonly msisdn: string;
  readonly amount: number;
  readonly reference: string;
  /** Whether the file gives the reference; otherwise it was made from the file and the line. */
  readonly hasOwnReference: boolean;
  readonly description: string | null;
}

/** Rows of one file. The whole of it is held while it is checked. */
export const payoutsMax = 100_000;

/**
 * The reference of a row that gives none. It says the same whenever and wherever the same file is read, and the service pays
 * a reference once, for ever: that is what makes it safe to begin again.
 */
export function derivedReference(fileHash: string, line: number): string {
  return `payout-${fileHash.slice(0, 24)}-${line}`;
}
