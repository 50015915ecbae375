import type { Database } from "../database/database.ts";
import type { Company, CompanyChange } from "./company.ts";
import { CompanyNotFound } from "./errors.ts";
import { updateCompany } from "./store.ts";

/** Changes what is given; pages show it within seconds. */
export async function changeCompany(
  database: Database,
  companyId: string,
  change: CompanyChange,
): Promise<Company> {
  const company = await updateCompany(database, companyId, change);
  if (company === undefined) throw new CompanyNotFound(companyId);
  return company;
}
