import assert from "node:assert/strict";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { findInParts } from "../database/parts.ts";
import { sql } from "../database/sql.ts";
import type { Balances } from "./balances.ts";
import type { Adjustment, Funding, NewFunding, Withdrawal } from "./funding.ts";

export async function insertBooks(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`insert into books (company_id) values (${companyId})`);
  await tx.query(sql`insert into settling (company_id) values (${companyId})`);
}

/** The company's lock, and the time of what is written under it: not before what was posted last, whatever the clock does. */
async function lockBooks(tx: Tx, companyId: string): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(sql`
    select greatest(posted_at, date_trunc('milliseconds', clock_timestamp())) as at from books
    where company_id = ${companyId} for update`);
  assert(row !== undefined, `company ${companyId} has no books`);
  return row.at;
}

/** The funding and its posting: the keys of the one let the other happen once. False when its reference is used. */
export async function insertFunding(
  tx: Tx,
  companyId: string,
  { id, amount, reference, memo }: NewFunding,
): Promise<boolean> {
  const at = await lockBooks(tx, companyId);
  const rows = await tx.query(sql`
    insert into fundings as f (company_id, id, amount, reference, memo, created_at)
    values (${companyId}, ${id}, ${amount}, ${reference}, ${memo}, ${at})
    on conflict (company_id, reference) where reference <> '' do nothing
    returning f.id`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    select post_movements(
      ${companyId}, 'company.funded', 'external', 'available', array[${id}]::uuid[], array[${amount}]::bigint[],
      ${at}, array[facts_text(0, null, ${reference}, null, null, null, null, ${memo}, null)])`);
  return true;
}

export async function selectFunding(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<Funding | undefined> {
  const rows = await database.query<{ amount: number; created_at: Date }>(sql`
    select amount, created_at from fundings
    where company_id = ${companyId} and reference = ${reference} and reference <> ''`);
  return rows[0] && { amount: rows[0].amount, createdAt: rows[0].created_at };
}

/** The same for money that leaves. */
export async function insertWithdrawal(
  tx: Tx,
  companyId: string,
  { id, amount, reference, memo }: Withdrawal,
): Promise<boolean> {
  const at = await lockBooks(tx, companyId);
  const rows = await tx.query(sql`
    insert into withdrawals as w (company_id, id, amount, reference, memo, created_at)
    values (${companyId}, ${id}, ${amount}, ${reference}, ${memo}, ${at})
    on conflict (company_id, reference) where reference <> '' do nothing
    returning w.id`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    select post_movements(
      ${companyId}, 'company.withdrawn', 'available', 'external', array[${id}]::uuid[], array[${amount}]::bigint[],
      ${at}, array[facts_text(0, null, ${reference}, null, null, null, null, ${memo}, null)])`);
  return true;
}

export async function selectWithdrawal(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<(Withdrawal & { readonly createdAt: Date }) | undefined> {
  const rows = await database.query<Withdrawal & { createdAt: Date }>(sql`
    select id, amount, reference, memo, created_at as "createdAt" from withdrawals
    where company_id = ${companyId} and reference = ${reference} and reference <> ''`);
  return rows[0];
}

/** The same for a correction. */
export async function insertAdjustment(
  tx: Tx,
  companyId: string,
  { id, from, to, amount, reference, reason }: Adjustment,
): Promise<boolean> {
  const at = await lockBooks(tx, companyId);
  const rows = await tx.query(sql`
    insert into adjustments as a (company_id, id, from_account, to_account, amount, reference, reason, created_at)
    values (${companyId}, ${id}, ${from}, ${to}, ${amount}, ${reference}, ${reason}, ${at})
    on conflict (company_id, reference) where reference <> '' do nothing
    returning a.id`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    select post_movements(
      ${companyId}, 'company.adjusted', ${from}, ${to}, array[${id}]::uuid[], array[${amount}]::bigint[],
      ${at}, array[facts_text(0, null, ${reference}, null, null, null, null, ${reason}, null)])`);
  return true;
}

export async function selectAdjustment(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<(Adjustment & { readonly createdAt: Date }) | undefined> {
  const rows = await database.query<Adjustment & { createdAt: Date }>(sql`
    select id, from_account as "from", to_account as "to", amount, reference, reason, created_at as "createdAt"
    from adjustments where company_id = ${companyId} and reference = ${reference} and reference <> ''`);
  return rows[0];
}

/** The row is the company's lock: whoever moves its money right now is waited for. False when nothing changed. */
export async function updateFrozen(tx: Tx, companyId: string, isFrozen: boolean): Promise<boolean> {
  const rows = await tx.query(sql`
    update books as b set is_frozen = ${isFrozen}
    where b.company_id = ${companyId} and b.is_frozen <> ${isFrozen}
    returning b.company_id`);
  return rows.length > 0;
}

export async function selectFrozen(database: Queryable, companyId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from books where company_id = ${companyId} and is_frozen`);
  return rows.length > 0;
}

export async function selectBalances(
  database: Queryable,
  companyId: string,
): Promise<Balances | undefined> {
  const rows = await database.query<Balances>(sql`
    select available, in_flight, fees, external, paid_out from books where company_id = ${companyId}`);
  return rows[0];
}

/** How far the clock is behind the newest posting of any company. A small table, looked through once a minute. */
export async function selectSecondsBehind(database: Database): Promise<number> {
  const rows = await findInParts(database, (which) =>
    database.query<{ seconds: number }>(sql`
      select coalesce(extract(epoch from max(posted_at) - clock_timestamp()), 0)::float8 as seconds from books
      where company_id ${which} and posted_at > '-infinity'`),
  );
  return Math.max(0, ...rows.map(({ seconds }) => seconds));
}
