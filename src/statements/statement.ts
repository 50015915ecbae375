import type { SetVersion } from "./chain.ts";
import type { Seal } from "./seal.ts";

/** What a line of a statement is for; `other` is what a later release posts and this one does not know. */
export const lineKinds = [
  "funding",
  "withdrawal",
  "adjustment",
  "transfer",
  "transfer_returned",
  "payment",
  "refund",
  "other",
] as const;
export type LineKind = (typeof lineKinds)[number];

const kinds: Readonly<Record<string, LineKind>> = {
  "company.funded": "funding",
  "company.withdrawn": "withdrawal",
  "company.adjusted": "adjustment",
  "transfer.reserved": "transfer",
  "transfer.released": "transfer_returned",
  "charge.paid": "payment",
  "charge.refunded": "refund",
};

export function kindOf(event: string): LineKind {
  return kinds[event] ?? "other";
}

/** Moments, `from` included and `until` not. Without one it is open on that side. */
export interface Period {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface StatementRequest {
  readonly companyId: string;
  readonly period: Period;
  readonly subCompanyId?: string | undefined;
}

/** One change of what is available. Ids are as the API shows them; what a line has none of is null. */
export interface StatementLine {
  /** Of the posting: grows from line to line, with gaps where other postings are. */
  readonly number: number;
  readonly at: Date;
  readonly kind: LineKind;
  /** Signed, fee included. */
  readonly amount: number;
  /** How much of it was a fee: paid when positive, given back when negative. amount + fee is what moved without it. */
  readonly fee: number;
  /** Of the company; in a statement of a sub-company, what its own lines have summed to. */
  readonly balanceAfter: number;
  /** Of the transfer, the payment, the refund, or whatever else the money moved for. */
  readonly id: string;
  readonly chargeId: string | null;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly serviceTransactionReference: string | null;
  readonly msisdn: string | null;
  readonly subCompanyId: string | null;
  readonly subCompanyName: string | null;
  readonly batchId: string | null;
  readonly memo: string | null;
  /** Null in a statement of a sub-company, and for what was posted before there was a chain. */
  readonly proof: LineProof | null;
}

/**
 * What makes a posting of a line, beside what the line shows, and links it to the chain. The hash after a set is: for each
 * of `digestsBefore` `nextHash`, then `nextHash` with the `digestOfSet` of its lines. (chain.ts)
 */
export interface LineProof {
  readonly event: string;
  readonly subjectId: string;
  readonly debit: string;
  readonly credit: string;
  /** Sets between the line before and this one, of which no posting is a line: digests in their order. */
  readonly digestsBefore: readonly Buffer[];
  /** The digest of those facts that the line does not show. */
  readonly hidden: string | undefined;
  /** On the last line of a set: the version of its text. */
  readonly endsSet: SetVersion | undefined;
}

/** What lines sum to. */
export interface Sum {
  readonly count: number;
  readonly amount: number;
  readonly fee: number;
}

/** By the event of their postings. */
export type EventTotals = ReadonlyMap<string, Sum>;

export interface LineTotals extends Sum {
  readonly kind: LineKind;
}

export interface StatementHead {
  readonly companyId: string;
  readonly subCompanyId: string | null;
  readonly period: Period;
  readonly opening: number;
  readonly closing: number;
  /** Of the kinds that occur, in the order of `lineKinds`. */
  readonly totals: readonly LineTotals[];
  /** Lines. */
  readonly count: number;
  /** The statement has the postings after `after` up to `upto`. */
  readonly after: number;
  readonly upto: number;
  /** Every posting of the period that bears a time before this one is in it, whenever it is read; undefined when none is certain. */
  readonly closedUntil: Date | undefined;
  /** Null where there was no chain yet, and in a statement of a sub-company. */
  readonly hashBefore: Buffer | null;
  readonly hashAfter: Buffer | null;
  /** Of the days whose last posting is among those. */
  readonly seals: readonly Seal[];
}

export interface Statement {
  readonly head: StatementHead;
  /** In order, some hundreds at a time. To be read once. */
  readonly lines: AsyncIterable<readonly StatementLine[]>;
  /** Digests of the sets after the last line; known when the lines are read to their end. */
  readonly digestsAfter: () => readonly Buffer[];
}
