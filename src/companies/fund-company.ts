import type { Database } from "../database/database.ts";
import { balanceOf, post } from "../ledger/post.ts";
import { funding } from "./create-company.ts";
import { CompanyNotFound } from "./errors.ts";
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
    await post(tx, company.id, funding(now, request.amount));
    return balanceOf(tx, company.id, "available");
  });
}
