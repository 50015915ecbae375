import type { Queryable } from "../database/database.ts";
import { type Country, findCountry, type Place, placeOf } from "../kernel/countries.ts";
import { parsePublicId } from "../kernel/ids.ts";
import type { Company } from "./company.ts";
import { CompanyNotFound, SubCompanyInactive, SubCompanyNotFound } from "./errors.ts";
import { selectCompany, selectSubCompaniesByIds, selectSubCompany } from "./store.ts";
import { type SubCompany, subCompanyIdPrefix } from "./sub-company.ts";

export async function findCompany(
  database: Queryable,
  companyId: string,
): Promise<Company | undefined> {
  return selectCompany(database, companyId);
}

export async function getCompany(database: Queryable, companyId: string): Promise<Company> {
  const company = await selectCompany(database, companyId);
  if (company === undefined) throw new CompanyNotFound(companyId);
  return company;
}

/** Where a company's payers are; what it does not say itself is as the installation has it. */
export function placeOfCompany(
  { country, timeZone }: Pick<Company, "country" | "timeZone">,
  byDefault: Country,
): Place {
  return placeOf((country === null ? undefined : findCountry(country)) ?? byDefault, timeZone);
}

export async function findSubCompanies(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<SubCompany[]> {
  return selectSubCompaniesByIds(database, companyId, ids);
}

/** The id inside a body's subCompanyId. A text that cannot be an id is answered like an unknown one. */
export function readSubCompanyId(text: string | null | undefined): string | null {
  if (text == null) return null;
  const id = parsePublicId(subCompanyIdPrefix, text);
  if (id === undefined) throw new SubCompanyNotFound();
  return id;
}

/** The sub-company a request names; only an active one can be used. */
export async function getActiveSubCompany(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<SubCompany> {
  const found = id === undefined ? undefined : await selectSubCompany(database, companyId, id);
  if (found === undefined) throw new SubCompanyNotFound();
  if (!found.isActive) throw new SubCompanyInactive();
  return found;
}
