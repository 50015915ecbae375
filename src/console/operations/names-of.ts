import { findCompany } from "../../companies/find-company.ts";
import type { Database } from "../../database/database.ts";

/** What the companies of a list are called. */
export async function namesOf(
  database: Database,
  rows: readonly { readonly companyId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { companyId } of rows)
    if (!names.has(companyId))
      names.set(companyId, (await findCompany(database, companyId))?.name ?? "");
  return names;
}
