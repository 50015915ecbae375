import assert from "node:assert/strict";
import type { Database, Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import {
  AccountTooLow,
  FrozenBooks,
  FundingTooLarge,
  frozenState,
  MovementReferenceUsed,
  SameAccount,
  tooLowState,
} from "../ledger/errors.ts";
import type { AdjustableAccount, Adjustment, Withdrawal } from "../ledger/funding.ts";
import { adjust, balancesOf, findAdjustment, findWithdrawal, withdraw } from "../ledger/post.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { getCompany } from "./find-company.ts";

export const withdrawalIdPrefix = "wdr";
export const adjustmentIdPrefix = "adj";

export type WithdrawalRequest = Omit<Withdrawal, "id"> & { readonly companyId: string };
export type AdjustmentRequest = Omit<Adjustment, "id"> & { readonly companyId: string };

/** What the account holds afterwards. */
export interface MovementResult {
  readonly id: string;
  readonly balance: number;
  /** When the reference was used before, for the same; undefined: the money was moved now. */
  readonly doneAt: Date | undefined;
}

/** Takes money out of a company's account for good, once for a reference. */
export async function withdrawFromCompany(
  database: Database,
  now: Date,
  { companyId, ...request }: WithdrawalRequest,
  by: Actor = operator(),
): Promise<MovementResult> {
  const { amount, reference, memo } = request;
  return moving(database, companyId, "available", amount, async (tx) => {
    const id = newUuid(now.getTime());
    const isNew = await withdraw(tx, companyId, { id, ...request });
    const { available: balance } = await balancesOf(tx, companyId);
    if (isNew) {
      await recordForCompany(tx, companyId, by, {
        action: "company.withdrawn",
        subject: toPublicId(withdrawalIdPrefix, id),
        from: { balance: balance + amount },
        to: { balance, amount, reference, memo },
      });
      return { id, balance, doneAt: undefined };
    }
    const before = await findWithdrawal(tx, companyId, reference);
    assert(before !== undefined, "withdrawals are never deleted");
    if (before.amount !== amount)
      throw new MovementReferenceUsed(reference, `${before.amount} francs`, before.createdAt);
    return { id: before.id, balance, doneAt: before.createdAt };
  });
}

/** Corrects a company's books: from one of its accounts to another, once for a reference. */
export async function adjustBooks(
  database: Database,
  now: Date,
  { companyId, ...request }: AdjustmentRequest,
  by: Actor = operator(),
): Promise<MovementResult> {
  const { from, to, amount, reference, reason } = request;
  if (from === to) throw new SameAccount(from);
  return moving(database, companyId, from, amount, async (tx) => {
    const id = newUuid(now.getTime());
    const isNew = await adjust(tx, companyId, { id, ...request });
    const { available: balance } = await balancesOf(tx, companyId);
    if (isNew) {
      await recordForCompany(tx, companyId, by, {
        action: "company.adjusted",
        subject: toPublicId(adjustmentIdPrefix, id),
        to: { fromAccount: from, toAccount: to, amount, reference, reason, balance },
      });
      return { id, balance, doneAt: undefined };
    }
    const before = await findAdjustment(tx, companyId, reference);
    assert(before !== undefined, "adjustments are never deleted");
    if (before.amount !== amount || before.from !== from || before.to !== to)
      throw new MovementReferenceUsed(
        reference,
        `${before.amount} francs from ${before.from} to ${before.to}`,
        before.createdAt,
      );
    return { id: before.id, balance, doneAt: before.createdAt };
  });
}

/** One transaction; what the database refuses becomes a sentence that the operator can act on. */
async function moving(
  database: Database,
  companyId: string,
  debited: AdjustableAccount,
  amount: number,
  work: (tx: Tx) => Promise<MovementResult>,
): Promise<MovementResult> {
  await getCompany(database, companyId);
  try {
    return await database.transaction(work);
  } catch (error) {
    const state = sqlState(error);
    if (state === frozenState) throw new FrozenBooks({ cause: error });
    if (state === "23514") throw new FundingTooLarge({ cause: error });
    if (state !== tooLowState) throw error;
    const balances = await balancesOf(database, companyId);
    throw new AccountTooLow(debited, balances[debited], amount);
  }
}
