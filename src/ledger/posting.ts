import type { Balances } from "./balances.ts";

/** One movement of money, as it is read. */
export interface Posting {
  readonly number: number;
  readonly event: string;
  readonly subjectId: string;
  readonly debit: keyof Balances;
  readonly credit: keyof Balances;
  readonly amount: number;
  /** The balance of `available` after it; null where it did not touch it. */
  readonly availableAfter: number | null;
  readonly createdAt: Date;
}
