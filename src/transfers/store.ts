import type { Queryable, Tx } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { every, type Query, sql, unionOf } from "../database/sql.ts";
import { firstUuidAt } from "../kernel/ids.ts";
import type { PageRequest } from "../kernel/page.ts";
import type { Batch, BatchStatus } from "./batch.ts";
import { type FailureReason, type Transfer, transferStatuses } from "./transfer.ts";

interface TransferRow {
  readonly id: string;
  readonly reference: string;
  readonly msisdn_given: string;
  readonly amount: number;
  readonly fee: number;
  readonly status: Transfer["status"];
  readonly failure_reason: FailureReason | null;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly batch_id: string | null;
  readonly sub_company_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TransferFilter {
  readonly reference?: string;
  readonly status?: Transfer["status"];
  /** Digits. */
  readonly msisdn?: string;
  readonly batchId?: string;
  readonly subCompanyId?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

export async function selectTransfer(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Transfer | undefined> {
  const rows = await database.query<TransferRow>(sql`
    select * from transfers where company_id = ${companyId} and id = ${id}`);
  return rows[0] && toTransfer(rows[0]);
}

/** Which of these transfers are in the books; for the caller that lost the answer to its submission. */
export async function selectPresentIds(
  tx: Tx,
  companyId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from transfers where company_id = ${companyId} and id = any(${ids}::uuid[])`);
  return new Set(rows.map((row) => row.id));
}

/** The transfers that have these references, by reference. */
export async function selectUsedReferences(
  database: Queryable,
  companyId: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; reference: string }>(sql`
    select id, reference from transfers
    where company_id = ${companyId} and reference = any(${references}::text[]) and reference <> ''`);
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

/** Waits until whoever moves this company's money right now has ended. */
export async function lockCompanyMoney(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`
    select 1 from accounts where company_id = ${companyId} and kind = 'available' for update`);
}

/**
 * Whatever is filtered by, a page is read along one index, and about as many rows as it shows. Those of a person
 * or a sub-company have the status before the id: for all of them, a page of each status is read and merged.
 */
export async function selectTransferPage(
  database: Queryable,
  companyId: string,
  filter: TransferFilter,
  page: PageRequest,
): Promise<Transfer[]> {
  const { status, msisdn, subCompanyId } = filter;
  const isMerged = status === undefined && (msisdn === undefined) !== (subCompanyId === undefined);
  const pageWith = (one: TransferFilter) => sql`
    select * from transfers where ${conditionsOf(companyId, one)} and ${pageOf(page)}`;
  const query = isMerged
    ? sql`
        select * from (
          ${unionOf(transferStatuses.map((each) => pageWith({ ...filter, status: each })))}
        ) as merged where company_id = ${companyId} and ${pageOf(page)}`
    : pageWith(filter);
  const rows = await database.query<TransferRow>(query);
  return rows.map(toTransfer);
}

/** Each filter repeats the condition of its index, which is what lets the planner use it. */
function conditionsOf(companyId: string, filter: TransferFilter): Query {
  const conditions = [sql`company_id = ${companyId}`];
  if (filter.reference !== undefined)
    conditions.push(sql`reference = ${filter.reference} and reference <> ''`);
  if (filter.batchId !== undefined) conditions.push(sql`batch_id = ${filter.batchId}`);
  if (filter.msisdn !== undefined) conditions.push(sql`msisdn = ${filter.msisdn} and msisdn <> ''`);
  if (filter.subCompanyId !== undefined)
    conditions.push(sql`sub_company_id = ${filter.subCompanyId}`);
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status} and status <> ''`);
  // An id carries the time of its row, so a range of time is a range of ids.
  if (filter.createdFrom !== undefined)
    conditions.push(sql`id >= ${firstUuidAt(filter.createdFrom.getTime())}`);
  if (filter.createdTo !== undefined)
    conditions.push(sql`id < ${firstUuidAt(filter.createdTo.getTime() + 1)}`);
  return every(conditions);
}

export async function selectPending(tx: Tx, companyId: string, limit: number): Promise<Transfer[]> {
  const rows = await tx.query<TransferRow>(sql`
    select * from transfers where company_id = ${companyId} and status = 'pending' order by id limit ${limit}`);
  return rows.map(toTransfer);
}

export async function hasPending(tx: Tx, companyId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from transfers where company_id = ${companyId} and status = 'pending' limit 1`);
  return rows.length > 0;
}

/** Ends transfers and tells which: an id that was no longer pending is not among them. */
export async function settle(
  tx: Tx,
  companyId: string,
  at: Date,
  outcomes: readonly {
    readonly id: string;
    readonly reason: FailureReason | null;
    readonly payload: string;
  }[],
): Promise<{ readonly settled_id: string; readonly reason: FailureReason | null }[]> {
  return tx.query(sql`
    select settled_id, reason from settle_transfers(
      ${companyId}, ${at},
      ${outcomes.map((outcome) => outcome.id)}::uuid[],
      ${outcomes.map((outcome) => outcome.reason)}::text[],
      ${outcomes.map((outcome) => outcome.payload)}::text[])`);
}

function toTransfer(row: TransferRow): Transfer {
  const facts = {
    id: row.id,
    reference: row.reference,
    msisdn: row.msisdn_given,
    amount: row.amount,
    fee: row.fee,
    description: row.description,
    metadata: row.metadata,
    batchId: row.batch_id,
    subCompanyId: row.sub_company_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return row.status === "failed"
    ? { ...facts, status: row.status, failureReason: row.failure_reason ?? "UNKNOWN_ERROR" }
    : { ...facts, status: row.status, failureReason: null };
}

interface BatchRow {
  readonly id: string;
  readonly sub_company_id: string | null;
  readonly total_amount: number;
  readonly total_fee: number;
  readonly size: number;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly status: BatchStatus;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export async function selectBatch(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Batch | undefined> {
  const rows = await database.query<BatchRow>(sql`
    select * from batches where company_id = ${companyId} and id = ${id}`);
  return rows[0] && toBatch(rows[0]);
}

/** The transfers of a batch, in the order they were sent. */
export async function selectBatchTransfers(
  database: Queryable,
  companyId: string,
  batchId: string,
): Promise<Transfer[]> {
  const rows = await database.query<TransferRow>(sql`
    select * from transfers where company_id = ${companyId} and batch_id = ${batchId} order by id`);
  return rows.map(toTransfer);
}

export async function selectBatchPage(
  database: Queryable,
  companyId: string,
  page: PageRequest,
): Promise<Batch[]> {
  const rows = await database.query<BatchRow>(sql`
    select * from batches where company_id = ${companyId} and ${pageOf(page)}`);
  return rows.map(toBatch);
}

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    subCompanyId: row.sub_company_id,
    totalAmount: row.total_amount,
    totalFee: row.total_fee,
    size: row.size,
    completedCount: row.completed_count,
    failedCount: row.failed_count,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
