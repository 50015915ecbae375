import assert from "node:assert/strict";
import type { Database } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import { FundingReferenceUsed, FundingTooLarge } from "../ledger/errors.ts";
import { balancesOf, findFunding, fund } from "../ledger/post.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { companyIdPrefix } from "./company.ts";
import { getCompany } from "./find-company.ts";

export interface FundingRequest {
  readonly companyId: string;
  readonly amount: number;
  /** Funds once, for ever: sent again it answers what happened the first time. Absent: it has none. */
  readonly reference?: string;
  readonly memo?: string | undefined;
}

export interface FundingResult {
  readonly balance: number;
  /** When the reference was used before, with the same amount; undefined: the money was added now. */
  readonly doneAt: Date | undefined;
}

/** Puts money on a company's account, once for a reference. */
export async function fundCompany(
  database: Database,
  now: Date,
  request: FundingRequest,
  by: Actor = operator(),
): Promise<FundingResult> {
  const { companyId, amount, reference = null, memo = null } = request;
  return database.transaction(async (tx) => {
    await getCompany(tx, companyId);
    const funding = { id: newUuid(now.getTime()), amount, reference, memo };
    const isNew = await fund(tx, companyId, funding).catch(refuseTooMuch);
    const { available: balance } = await balancesOf(tx, companyId);
    if (isNew) {
      await recordForCompany(tx, companyId, by, {
        action: "company.funded",
        subject: toPublicId(companyIdPrefix, companyId),
        from: { balance: balance - amount },
        to: { balance, amount, reference, memo },
      });
      return { balance, doneAt: undefined };
    }
    assert(reference !== null, "only a reference can be used up");
    const before = await findFunding(tx, companyId, reference);
    assert(before !== undefined, "fundings are never deleted");
    if (before.amount !== amount) throw new FundingReferenceUsed(reference, before);
    return { balance, doneAt: before.createdAt };
  });
}

/** The books hold what a number holds exactly, and no more: the database refuses it, also of two fundings at once. */
function refuseTooMuch(error: unknown): never {
  throw sqlState(error) === "23514" ? new FundingTooLarge({ cause: error }) : error;
}
