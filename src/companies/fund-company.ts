import type { Database } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { newUuid } from "../kernel/ids.ts";
import { balancesOf, fund } from "../ledger/post.ts";
import { CompanyNotFound, FundingTooLarge } from "./errors.ts";
import { selectCompany } from "./store.ts";

/** Puts money on a company's account; returns the balance after it. */
export async function fundCompany(
  database: Database,
  now: Date,
  request: { readonly companyId: string; readonly amount: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    const company = await selectCompany(tx, request.companyId);
    if (company === undefined) throw new CompanyNotFound(request.companyId);
    const funding = { id: newUuid(now.getTime()), amount: request.amount };
    await fund(tx, company.id, funding).catch(refuseTooMuch);
    return (await balancesOf(tx, company.id)).available;
  });
}

/** The books hold what a number holds exactly, and no more: the database refuses it, also of two fundings at once. */
function refuseTooMuch(error: unknown): never {
  throw sqlState(error) === "23514" ? new FundingTooLarge({ cause: error }) : error;
}
