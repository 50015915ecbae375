import type { Database } from "../database/database.ts";
import { balanceMax } from "../kernel/amount.ts";
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
    // Two at once are held apart by the books themselves, which refuse what a number cannot hold.
    const before = await balancesOf(tx, company.id);
    if (before.available + request.amount > balanceMax) throw new FundingTooLarge();
    await fund(tx, company.id, { id: newUuid(now.getTime()), amount: request.amount });
    return (await balancesOf(tx, company.id)).available;
  });
}
