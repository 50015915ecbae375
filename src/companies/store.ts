import type { Queryable, Tx, Writable } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import type { Company, CompanyChange } from "./company.ts";
import { type PriceColumns, toPrice } from "./prices-store.ts";
import type { SubCompany, SubCompanyChange } from "./sub-company.ts";

interface CompanyRow extends PriceColumns {
  readonly company_id: string;
  readonly name: string;
  readonly country: string | null;
  readonly time_zone: string | null;
  readonly created_at: Date;
  readonly is_frozen: boolean;
  readonly price: number;
}

export async function insertCompany(tx: Tx, company: Company): Promise<void> {
  const { transferFee: fee, transferAmount, chargeAmount } = company;
  await tx.query(sql`
    insert into companies (
      company_id, name, transfer_fee_rate_ppm, transfer_fee_flat, transfer_fee_min, transfer_fee_max,
      transfer_amount_min, transfer_amount_max, charge_fee_rate_ppm, charge_amount_min, charge_amount_max,
      country, time_zone, created_at)
    values (
      ${company.id}, ${company.name}, ${fee.ratePpm}, ${fee.flat}, ${fee.min}, ${fee.max},
      ${transferAmount.min}, ${transferAmount.max}, ${company.chargeFeeRatePpm}, ${chargeAmount.min},
      ${chargeAmount.max}, ${company.country}, ${company.timeZone}, ${company.createdAt})`);
}

/** Changes what is given and nothing else. */
export async function updateCompany(
  tx: Tx,
  companyId: string,
  change: CompanyChange,
): Promise<void> {
  await tx.query(sql`
    update companies set
      name = coalesce(${change.name ?? null}, name),
      country = coalesce(${change.country ?? null}, country),
      time_zone = coalesce(${change.timeZone ?? null}, time_zone)
    where company_id = ${companyId}`);
}

export async function selectCompany(
  database: Queryable,
  companyId: string,
): Promise<Company | undefined> {
  const rows = await database.query<CompanyRow>(sql`
    select c.*, b.is_frozen, b.price
    from companies c
    join books b on b.company_id = c.company_id
    where c.company_id = ${companyId}`);
  return rows[0] && toCompany(rows[0]);
}

/** Whoever changes a company or its keys does so one at a time; payments go on meanwhile. False for no company. */
export async function lockCompany(tx: Tx, companyId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from companies where company_id = ${companyId} for no key update`);
  return rows.length > 0;
}

/** A page of all companies, oldest first, for the operator; `after` is the last id of the page before. */
export async function selectCompanies(
  database: Queryable,
  after: string | undefined,
  limit: number,
): Promise<(Company & { readonly balance: number })[]> {
  const rows = await database.query<CompanyRow & { balance: number }>(sql`
    select c.*, b.is_frozen, b.price, b.available as balance
    from companies c
    join books b on b.company_id = c.company_id
    where c.company_id > ${after ?? "00000000-0000-0000-0000-000000000000"}
    order by c.company_id
    limit ${limit}`);
  return rows.map((row) => ({ ...toCompany(row), balance: row.balance }));
}

export async function hasCompanies(database: Queryable): Promise<boolean> {
  return (await database.query(sql`select 1 from companies limit 1`)).length > 0;
}

/** Something is to be done for this company, now: see src/work. */
export async function markWork(tx: Tx, companyId: string, queue: string): Promise<void> {
  await tx.query(sql`
    insert into work as w (company_id, queue, ready_at) values (${companyId}, ${queue}, now())
    on conflict (company_id, queue) do update set ready_at = excluded.ready_at`);
}

function toCompany(row: CompanyRow): Company {
  return {
    ...toPrice(row),
    id: row.company_id,
    name: row.name,
    priceNumber: row.price,
    country: row.country,
    timeZone: row.time_zone,
    createdAt: row.created_at,
    isFrozen: row.is_frozen,
  };
}

export const subCompanyList = "sub-companies";

interface SubCompanyRow {
  readonly id: string;
  readonly name: string;
  readonly logo_url: string;
  readonly is_active: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export async function insertSubCompany(tx: Tx, companyId: string, sub: SubCompany): Promise<void> {
  await tx.query(sql`
    insert into sub_companies (company_id, id, name, logo_url, is_active, created_at, updated_at)
    values (${companyId}, ${sub.id}, ${sub.name}, ${sub.logoUrl}, ${sub.isActive}, ${sub.createdAt}, ${sub.updatedAt})`);
}

/** As it is now, and as nobody else changes it before the transaction ends. */
export async function lockSubCompany(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<SubCompany | undefined> {
  const rows = await tx.query<SubCompanyRow>(sql`
    select * from sub_companies where company_id = ${companyId} and id = ${id} for no key update`);
  return rows[0] && toSubCompany(rows[0]);
}

/** Whoever adds a sub-company or changes which logos are named holds the end of their list until the commit. */
export async function lockSubCompanies(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`
    select 1 from list_ends where company_id = ${companyId} and list = ${subCompanyList} for update`);
}

/** Changes what is given and nothing else. */
export async function updateSubCompany(
  database: Writable,
  companyId: string,
  id: string,
  now: Date,
  change: SubCompanyChange,
): Promise<SubCompany | undefined> {
  const rows = await database.execute<SubCompanyRow>(sql`
    update sub_companies set
      name = coalesce(${change.name ?? null}, name),
      logo_url = coalesce(${change.logoUrl ?? null}, logo_url),
      is_active = coalesce(${change.isActive ?? null}, is_active),
      updated_at = ${now}
    where company_id = ${companyId} and id = ${id}
    returning id, name, logo_url, is_active, created_at, updated_at`);
  return rows[0] && toSubCompany(rows[0]);
}

export async function selectSubCompany(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<SubCompany | undefined> {
  const rows = await database.query<SubCompanyRow>(sql`
    select * from sub_companies where company_id = ${companyId} and id = ${id}`);
  return rows[0] && toSubCompany(rows[0]);
}

export async function selectSubCompaniesByIds(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<SubCompany[]> {
  const rows = await database.query<SubCompanyRow>(sql`
    select * from sub_companies where company_id = ${companyId} and id = any(${ids}::uuid[])`);
  return rows.map(toSubCompany);
}

export async function selectSubCompanyPage(
  database: Queryable,
  companyId: string,
  page: PageRequest,
): Promise<SubCompany[]> {
  const rows = await database.query<SubCompanyRow>(sql`
    select * from sub_companies where company_id = ${companyId} and ${pageOf(page)}`);
  return rows.map(toSubCompany);
}

function toSubCompany(row: SubCompanyRow): SubCompany {
  return {
    id: row.id,
    name: row.name,
    logoUrl: row.logo_url,
    isActive: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
