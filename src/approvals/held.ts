import { createHash } from "node:crypto";
import { timeOfUuid } from "../kernel/ids.ts";
import type { Verdict } from "./proposal.ts";

export const heldDecisionIdPrefix = "dec";

/** What one decision is about at the most. */
export const heldSetMax = 10_000;

/** A transfer that came by a key and waits for a person. */
export interface HeldRow {
  readonly id: string;
  readonly batchId: string | null;
  /** Digits with country code. */
  readonly msisdn: string;
  readonly amount: number;
  readonly fee: number;
  readonly reference: string;
  readonly description: string | null;
}

/** Which of what is held: the oldest up to an id, all of a batch, or one. */
export type HeldScope =
  | { readonly kind: "oldest"; readonly upto?: string | undefined }
  | { readonly kind: "batch"; readonly batchId: string }
  | { readonly kind: "transfer"; readonly transferId: string };

/** What a person looks at and decides about, as a whole. */
export interface HeldSet {
  /** The oldest first. */
  readonly rows: readonly HeldRow[];
  /** More is held than one decision is about. */
  readonly isMore: boolean;
  readonly amount: number;
  readonly fee: number;
  readonly firstId: string;
  readonly lastId: string;
  /** SHA-256 of its content, in hexadecimal digits: what a decision is bound to. */
  readonly hash: string;
}

/** Undefined: nothing is held. */
export function toHeldSet(
  companyId: string,
  rows: readonly HeldRow[],
  isMore: boolean,
): HeldSet | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    rows,
    isMore,
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    fee: rows.reduce((sum, { fee }) => sum + fee, 0),
    firstId: first.id,
    lastId: last.id,
    hash: createHash("sha256").update(writeHeld(companyId, rows)).digest("hex"),
  };
}

/**
 * The one way in which a set is written: a line with the company, and one for each transfer. (The audit writes it too, in SQL, from
 * what the transfers are by then.)
 */
export function writeHeld(companyId: string, rows: readonly HeldRow[]): string {
  const lines = rows.map(({ id, msisdn, amount, fee }) => `${id} ${msisdn} ${amount} ${fee}\n`);
  return `${companyId}\n${lines.join("")}`;
}

/** Transfers that came together: a batch, or one by itself. */
export interface HeldGroup {
  readonly first: HeldRow;
  readonly count: number;
  /** With fees. */
  readonly total: number;
}

/** In the order in which they came. */
export function groupHeld(rows: readonly HeldRow[]): HeldGroup[] {
  const groups = new Map<string, HeldGroup>();
  for (const row of rows) {
    const key = row.batchId ?? row.id;
    const group = groups.get(key) ?? { first: row, count: 0, total: 0 };
    const total = group.total + row.amount + row.fee;
    groups.set(key, { ...group, count: group.count + 1, total });
  }
  return [...groups.values()];
}

/** One person's word on a set. */
export interface HeldDecision {
  /** The time inside it is when it was decided. */
  readonly id: string;
  readonly verdict: Verdict;
  readonly hash: string;
  readonly rowTotal: number;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly decidedBy: string;
  readonly comment: string | null;
}

export function decidedAtOf({ id }: HeldDecision): Date {
  return new Date(timeOfUuid(id));
}
