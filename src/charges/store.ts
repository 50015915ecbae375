import assert from "node:assert/strict";
import type { Queryable, Tx } from "../database/database.ts";
import { orderOf, pageOf } from "../database/page.ts";
import { every, type Query, sql } from "../database/sql.ts";
import { firstUuidAt } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import type { PageRequest } from "../kernel/page.ts";
import { referenceForms } from "../kernel/reference-forms.ts";
import {
  type Charge,
  type ChargeStatus,
  type ChargeTransaction,
  chargeCan,
  type DroppedReason,
} from "./charge.ts";

export interface ChargeRow {
  readonly company_id: string;
  readonly id: string;
  readonly external_id: string;
  /** As it was written, where that is another form of Unicode. */
  readonly external_id_given: string | null;
  readonly description: string;
  readonly amount: number;
  readonly fee: number;
  readonly fee_rate_ppm: number;
  readonly status: ChargeStatus;
  readonly dropped_reason: DroppedReason | null;
  readonly paid: number;
  readonly refunded: number;
  readonly attempts: number;
  readonly metadata: string | null;
  readonly sub_company_id: string | null;
  readonly on_canceled_redirection_url: string;
  readonly on_completed_redirection_url: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
  /** Times are milliseconds: JSON has none. */
  readonly transactions: readonly (Omit<ChargeTransaction, "createdAt"> & { createdAt: number })[];
  readonly is_past: boolean;
  readonly read_at: Date;
}

/** A charge as the books have it. */
export interface ReadCharge {
  readonly charge: Charge;
  /** It still says due, and its time is over. */
  readonly isOverdue: boolean;
  /**
   * The time that whatever happens to it next bears: what the database's clock said when it was read, but after everything that
   * happened to it before and not before what was posted last, although that clock may have been set back.
   */
  readonly readAt: Date;
}

export interface ChargeFilter {
  readonly externalId?: string;
  readonly status?: ChargeStatus;
  readonly subCompanyId?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

/** One statement, so that a charge and its transactions are seen at the same moment; without parts, so that it is prepared. */
async function selectCharges(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<ReadCharge[]> {
  const rows = await database.query<ChargeRow>(sql`
    select c.*, t.transactions, c.expires_at <= clock_timestamp() as is_past,
      greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at + interval '1 millisecond', b.posted_at) as read_at
    from charges c
    join books b on b.company_id = c.company_id
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'msisdn', i.msisdn_given,
        'amount', i.amount, 'status', i.status, 'error', i.error, 'reason', i.reason,
        'createdAt', (extract(epoch from i.created_at) * 1000)::bigint) order by i.created_at, i.id), '[]') as transactions
      from charge_transactions i where i.company_id = ${companyId} and i.charge_id = c.id
    ) as t
    where c.company_id = ${companyId} and c.id = any(${ids}::uuid[])
    order by c.id`);
  return rows.map(toReadCharge);
}

/** Of a charge `c` with its transactions `t`. */
export const chargeColumns = sql`c.*, t.transactions, c.expires_at <= clock_timestamp() as is_past,
      date_trunc('milliseconds', clock_timestamp()) as read_at`;

/** What a charge `c` was paid and refunded with, in order. */
export function transactionsOf(companyId: string): Query {
  return sql`
      select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'msisdn', i.msisdn_given,
        'amount', i.amount, 'status', i.status, 'error', i.error, 'reason', i.reason,
        'createdAt', (extract(epoch from i.created_at) * 1000)::bigint) order by i.created_at, i.id), '[]') as transactions
      from charge_transactions i where i.company_id = ${companyId} and i.charge_id = c.id
    `;
}

export async function selectCharge(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<ReadCharge | undefined> {
  return (await selectCharges(database, companyId, [id]))[0];
}

/** A charge that is known to exist. */
export async function chargeOf(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Charge> {
  const read = await selectCharge(database, companyId, id);
  assert(read !== undefined, "charges are never deleted");
  return read.charge;
}

/**
 * Locks in the order of the ids, then reads in the next statement: what is read, and the clock it is
 * compared with, are later than whatever was waited for.
 */
export async function lockCharges(
  tx: Tx,
  companyId: string,
  ids: readonly string[],
): Promise<ReadCharge[]> {
  await tx.query(sql`
    select 1 from charges where company_id = ${companyId} and id = any(${ids}::uuid[])
    order by id
    for update`);
  return selectCharges(tx, companyId, ids);
}

export async function lockCharge(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<ReadCharge | undefined> {
  return (await lockCharges(tx, companyId, [id]))[0];
}

export async function selectChargePage(
  database: Queryable,
  companyId: string,
  filter: ChargeFilter,
  page: PageRequest,
): Promise<ReadCharge[]> {
  const rows = await database.query<ChargeRow>(sql`
    select ${chargeColumns}
    from (${chargePage(companyId, filter, page)}) as c
    cross join lateral (${transactionsOf(companyId)}) as t
    order by ${orderOf(page, sql`c.id`)}`);
  return rows.map(toReadCharge);
}

/** The statement that reads a page of charges, without their transactions. */
export function chargePage(companyId: string, filter: ChargeFilter, page: PageRequest): Query {
  const conditions = [...matching(filter), indexCondition(filter), createdIn(filter, sql`id`)];
  return sql`
      select * from charges where company_id = ${companyId} and ${every(conditions)} and ${pageOf(page)}
    `;
}

/** An id carries the time of its row, so a range of time is a range of ids. */
export function createdIn({ createdFrom, createdTo }: ChargeFilter, id: Query): Query {
  const conditions: Query[] = [];
  if (createdFrom !== undefined)
    conditions.push(sql`${id} >= ${firstUuidAt(createdFrom.getTime())}`);
  if (createdTo !== undefined)
    conditions.push(sql`${id} < ${firstUuidAt(createdTo.getTime() + 1)}`);
  return every(conditions);
}

export function matching({ externalId, status, subCompanyId }: ChargeFilter): Query[] {
  const conditions: Query[] = [];
  if (externalId !== undefined)
    conditions.push(sql`external_id = any (${referenceForms(externalId)}::text[])`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  // What nobody has dropped yet is due no more all the same.
  if (status === "due") conditions.push(sql`expires_at > clock_timestamp()`);
  if (subCompanyId !== undefined) conditions.push(sql`sub_company_id = ${subCompanyId}`);
  return conditions;
}

/** Always true, and repeated word for word by the one index that serves these filters best: the planner uses no other. */
function indexCondition({ externalId, status, subCompanyId }: ChargeFilter): Query {
  if (externalId !== undefined) return sql`external_id <> ''`;
  if (subCompanyId !== undefined)
    return status === undefined ? sql`expires_at > '-infinity'` : sql`updated_at > '-infinity'`;
  return status === undefined ? sql`true` : sql`amount > 0`;
}

/** Writes the state a charge has come to. */
export async function updateCharge(tx: Tx, charge: Charge): Promise<void> {
  await tx.query(sql`
    update charges set status = ${charge.status}, paid = ${charge.paid}, refunded = ${charge.refunded},
      attempts = ${charge.attempts}, updated_at = ${charge.updatedAt}
    where company_id = ${charge.companyId} and id = ${charge.id}`);
}

export async function insertTransaction(
  tx: Tx,
  charge: Charge,
  transaction: ChargeTransaction,
  fee: number,
): Promise<void> {
  await tx.query(sql`
    insert into charge_transactions (
      company_id, charge_id, id, type, msisdn, msisdn_given, amount, fee, status, error, reason, created_at)
    values (
      ${charge.companyId}, ${charge.id}, ${transaction.id}, ${transaction.type},
      ${toDigits(transaction.msisdn)}, ${transaction.msisdn}, ${transaction.amount}, ${fee},
      ${transaction.status}, ${transaction.error}, ${transaction.reason},
      ${transaction.createdAt})`);
}

/** Due charges whose time is over, the longest first: all of them, once their company is frozen. */
export async function selectOverdueIds(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from overdue_charges(${companyId}, ${limit}) as id`);
  return rows.map(({ id }) => id);
}

/** Until the next due charge's time is over, which is now for a frozen company; undefined when none is due. */
export async function selectNextExpiryMs(tx: Tx, companyId: string): Promise<number | undefined> {
  const [row] = await tx.query<{ ms: number | null }>(sql`
    select next_expiry_ms(${companyId}) as ms`);
  return row?.ms ?? undefined;
}

export function toReadCharge(row: ChargeRow): ReadCharge {
  const charge: Charge = {
    id: row.id,
    companyId: row.company_id,
    externalId: row.external_id_given ?? row.external_id,
    description: row.description,
    amount: row.amount,
    fee: row.fee,
    feeRatePpm: row.fee_rate_ppm,
    status: row.status,
    droppedReason: row.dropped_reason,
    paid: row.paid,
    refunded: row.refunded,
    attempts: row.attempts,
    metadata: row.metadata,
    subCompanyId: row.sub_company_id,
    onCanceledRedirectionUrl: row.on_canceled_redirection_url,
    onCompletedRedirectionUrl: row.on_completed_redirection_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    transactions: row.transactions.map((transaction) => ({
      ...transaction,
      createdAt: new Date(transaction.createdAt),
    })),
  };
  return { charge, isOverdue: chargeCan.expire(charge) && row.is_past, readAt: row.read_at };
}
