import type { Database, Queryable, Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { timeOfUuid, toPublicId } from "../kernel/ids.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { trySpend } from "../quotas/spend-quota.ts";
import type { Actor } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import type { Fields } from "../trail/trail.ts";
import { SubCompanyUnknown, TooManySubCompanies } from "./errors.ts";
import { leaveLogo, requestLogo } from "./logos.ts";
import {
  insertSubCompany,
  lockSubCompanies,
  lockSubCompany,
  selectSubCompany,
  selectSubCompanyPage,
  subCompanyList,
  updateSubCompany,
} from "./store.ts";
import { type SubCompany, type SubCompanyChange, subCompanyIdPrefix } from "./sub-company.ts";

export interface SubCompanyQuotas {
  readonly subCompaniesMax: number;
  readonly logosPerDay: number;
}

export async function createSubCompany(
  tx: Tx,
  companyId: string,
  request: { readonly name: string; readonly logoUrl: string },
  { subCompaniesMax, logosPerDay }: SubCompanyQuotas,
  by: Actor,
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
  await recordForCompany(tx, companyId, by, {
    action: "sub_company.created",
    subject: toPublicId(subCompanyIdPrefix, id),
    to: fieldsOf(subCompany),
  });
  return subCompany;
}

function fieldsOf({ name, logoUrl, isActive }: SubCompany): Fields {
  return { name, logoUrl, isActive };
}

/** Changes the fields that are given. An empty change leaves everything as it is, updatedAt included. */
export async function changeSubCompany(
  database: Database,
  now: Date,
  companyId: string,
  id: string | undefined,
  change: SubCompanyChange,
  { logosPerDay }: SubCompanyQuotas,
  by: Actor,
): Promise<SubCompany> {
  const isEmpty = Object.values(change).every((value) => value === undefined);
  if (id === undefined || isEmpty) return getSubCompany(database, companyId, id);
  const changed = await database.transaction(async (tx) => {
    if (change.logoUrl !== undefined) await lockSubCompanies(tx, companyId);
    const before = await lockSubCompany(tx, companyId, id);
    const updated = await updateSubCompany(tx, companyId, id, now, change);
    if (before === undefined || updated === undefined) return undefined;
    if (change.logoUrl !== undefined) {
      await requestLogo(tx, companyId, change.logoUrl, logosPerDay);
      await leaveLogo(tx, companyId, before.logoUrl);
    }
    await recordForCompany(tx, companyId, by, {
      action: "sub_company.changed",
      subject: toPublicId(subCompanyIdPrefix, id),
      from: fieldsOf(before),
      to: fieldsOf(updated),
    });
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
