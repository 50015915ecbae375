import type { Database, Queryable, Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { timeOfUuid } from "../kernel/ids.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { trySpend } from "../quotas/spend-quota.ts";
import { SubCompanyUnknown, TooManySubCompanies } from "./errors.ts";
import { leaveLogo, requestLogo } from "./logos.ts";
import {
  insertSubCompany,
  lockSubCompanies,
  selectSubCompany,
  selectSubCompanyPage,
  subCompanyList,
  updateSubCompany,
} from "./store.ts";
import type { SubCompany, SubCompanyChange } from "./sub-company.ts";

export interface SubCompanyQuotas {
  readonly subCompaniesMax: number;
  readonly logosPerDay: number;
}

export async function createSubCompany(
  tx: Tx,
  companyId: string,
  request: { readonly name: string; readonly logoUrl: string },
  { subCompaniesMax, logosPerDay }: SubCompanyQuotas,
): Promise<SubCompany> {
  const id = await nextId(tx, companyId, subCompanyList);
  if (!(await trySpend(tx, companyId, { name: "sub_companies", max: subCompaniesMax })))
    throw new TooManySubCompanies(subCompaniesMax);
  const createdAt = new Date(timeOfUuid(id));
  const subCompany: SubCompany = {
    ...request,
    id,
    isActive: true,
    createdAt,
    updatedAt: createdAt,
  };
  await insertSubCompany(tx, companyId, subCompany);
  await requestLogo(tx, companyId, request.logoUrl, logosPerDay);
  return subCompany;
}

/** Changes the fields that are given. An empty change leaves everything as it is, updatedAt included. */
export async function changeSubCompany(
  database: Database,
  now: Date,
  companyId: string,
  id: string | undefined,
  change: SubCompanyChange,
  { logosPerDay }: SubCompanyQuotas,
): Promise<SubCompany> {
  const isEmpty = Object.values(change).every((value) => value === undefined);
  if (id === undefined || isEmpty) return getSubCompany(database, companyId, id);
  const changed = await database.transaction(async (tx) => {
    if (change.logoUrl === undefined) return updateSubCompany(tx, companyId, id, now, change);
    await lockSubCompanies(tx, companyId);
    const before = await selectSubCompany(tx, companyId, id);
    const updated = await updateSubCompany(tx, companyId, id, now, change);
    if (before === undefined) return updated;
    await requestLogo(tx, companyId, change.logoUrl, logosPerDay);
    await leaveLogo(tx, companyId, before.logoUrl);
    return updated;
  });
  if (changed === undefined) throw new SubCompanyUnknown();
  return changed;
}

export async function getSubCompany(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<SubCompany> {
  const found = id === undefined ? undefined : await selectSubCompany(database, companyId, id);
  if (found === undefined) throw new SubCompanyUnknown();
  return found;
}

export async function listSubCompanies(
  database: Queryable,
  companyId: string,
  request: PageRequest,
): Promise<Page<SubCompany>> {
  return toPage(
    { name: "sub-companies", companyId },
    request,
    await selectSubCompanyPage(database, companyId, request),
  );
}
