import type { Queryable } from "../database/database.ts";
import { orderOf, pageOf } from "../database/page.ts";
import { every, type Query, sql } from "../database/sql.ts";
import { firstUuidAt } from "../kernel/ids.ts";
import type { PageRequest } from "../kernel/page.ts";
import { referenceForms, referenceKey } from "../kernel/reference-forms.ts";
import type { IdRange } from "../kernel/service-reference.ts";
import type { FailureReason, Transfer } from "./transfer.ts";

export interface TransferRow {
  readonly id: string;
  readonly batch_id: string | null;
  readonly sub_company_id: string | null;
  readonly amount: number;
  readonly fee: number;
  readonly msisdn: string;
  readonly msisdn_has_plus: boolean;
  readonly reference: string;
  /** As it was written, where that is another form of Unicode. */
  readonly reference_given: string | null;
  readonly description: string | null;
  readonly metadata: string | null;
  /** Null while it is pending. */
  readonly status: "completed" | "failed" | null;
  readonly failure_reason: FailureReason | null;
  readonly ended_at: Date | null;
}

export interface TransferFilter {
  readonly reference?: string;
  /** Where the id behind a reference that the recipient sees lies. */
  readonly idRange?: IdRange;
  readonly status?: Transfer["status"];
  /** Digits. */
  readonly msisdn?: string;
  readonly batchId?: string;
  readonly subCompanyId?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

/** These transfers, as far as they exist, in the order of their ids. */
export async function selectTransfers(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<Transfer[]> {
  const rows = await database.query<TransferRow>(sql`
    select t.*, o.status, o.failure_reason, o.ended_at
    from transfers t
    left join lateral (
      select i.status, i.failure_reason, i.ended_at from outcomes i
      where i.company_id = ${companyId} and i.id = t.id limit 1
    ) as o on true
    where t.company_id = ${companyId} and t.id = any (${ids}::uuid[])
    order by t.id`);
  return rows.map(toTransfer);
}

/**
 * The transfers that have these references, by reference. Composed, so that it is planned each time: a plan kept from
 * when the table was small could read the whole company.
 */
export async function selectUsedReferences(
  database: Queryable,
  companyId: string,
  references: readonly string[],
): Promise<Map<string, { readonly id: string; readonly batchId: string | null }>> {
  const rows = await database.query<{ id: string; batch_id: string | null; reference: string }>(sql`
    select id, batch_id, reference from transfers
    where company_id = ${companyId} and reference = any (${references.flatMap(referenceForms)}::text[])
      and ${sql`reference <> ''`}`);
  const used = new Map(
    rows.map((row) => [referenceKey(row.reference), { id: row.id, batchId: row.batch_id }]),
  );
  return new Map(
    references.flatMap((reference) => {
      const found = used.get(referenceKey(reference));
      return found === undefined ? [] : [[reference, found] as const];
    }),
  );
}

/** Whatever is filtered by, a page is read along one index, in the order of the ids. */
export async function selectTransferPage(
  database: Queryable,
  companyId: string,
  filter: TransferFilter,
  page: PageRequest,
): Promise<Transfer[]> {
  const rows = await database.query<TransferRow>(transferPage(companyId, filter, page));
  return rows.map(toTransfer);
}

/** The statement that reads a page, by itself or inside another. */
export function transferPage(companyId: string, filter: TransferFilter, page: PageRequest): Query {
  const { status, reference, idRange, batchId, msisdn, subCompanyId } = filter;
  const isOfOnePlace = reference !== undefined || idRange !== undefined || batchId !== undefined;
  const isOfSome = msisdn !== undefined || subCompanyId !== undefined;
  const isWalk = status === undefined || isOfOnePlace || (status === "completed" && isOfSome);
  if (isWalk) return walk(companyId, filter, page);
  return status === "pending" ? queued(companyId, filter, page) : ended(companyId, filter, page);
}

/**
 * Among all transfers, or all of a reference, a batch, a person or a sub-company. With a status it passes over those
 * that ended otherwise: few, in what is walked this way.
 */
function walk(companyId: string, filter: TransferFilter, page: PageRequest): Query {
  return sql`
    select t.*, o.status, o.failure_reason, o.ended_at
    from transfers t
    left join lateral (
      select i.status, i.failure_reason, i.ended_at from outcomes i
      where i.company_id = ${companyId} and i.id = t.id limit 1
    ) as o on true
    where t.company_id = ${companyId} and ${matching(filter)} and ${created(filter, sql`t.id`)}
      and ${hasStatus(filter)} and ${pageOf(page, sql`t.id`)}`;
}

/** What is pending, in the queue or held: as many rows as wait at the moment. */
function queued(companyId: string, filter: TransferFilter, page: PageRequest): Query {
  return sql`
    select t.*, null as status, null as failure_reason, null as ended_at
    from (
      select company_id, id from pending_transfers
      union all
      select company_id, id from held_transfers where decision_id is null
    ) as q
    cross join lateral (
      select i.* from transfers i where i.company_id = ${companyId} and i.id = q.id limit 1
    ) as t
    where q.company_id = ${companyId} and ${matching(filter)} and ${created(filter, sql`q.id`)}
      and ${pageOf(page, sql`q.id`)}`;
}

/** What has ended one way; failed ones know whom they were for. */
function ended(companyId: string, filter: TransferFilter, page: PageRequest): Query {
  const { status, msisdn, subCompanyId } = filter;
  const conditions = [sql`status = ${status}`, created(filter, sql`id`)];
  if (msisdn !== undefined) conditions.push(sql`failed_msisdn = ${msisdn}`);
  if (subCompanyId !== undefined) conditions.push(sql`failed_sub_company_id = ${subCompanyId}`);
  if (conditions.length === 2) conditions.push(sql`ended_at > '-infinity'`);
  return sql`
    select t.*, o.status, o.failure_reason, o.ended_at
    from (
      select * from outcomes where company_id = ${companyId} and ${every(conditions)} and ${pageOf(page)}
    ) as o
    cross join lateral (
      select i.* from transfers i where i.company_id = ${companyId} and i.id = o.id limit 1
    ) as t
    order by ${orderOf(page, sql`o.id`)}`;
}

/** Each filter repeats the condition of its index, which is what lets the planner use it. */
function matching({ reference, idRange, batchId, msisdn, subCompanyId }: TransferFilter): Query {
  const conditions: Query[] = [];
  // All that the company sent in one millisecond, a batch at the most; of it what has the same last 38 bits.
  if (idRange !== undefined)
    conditions.push(sql`t.id >= ${idRange.from} and t.id < ${idRange.before}
      and ('x' || right(t.id::text, 10))::bit(40)::bigint & ${2 ** 38 - 1} = ${idRange.random}`);
  if (reference !== undefined)
    conditions.push(
      sql`t.reference = any (${referenceForms(reference)}::text[]) and t.reference <> ''`,
    );
  if (batchId !== undefined) conditions.push(sql`t.batch_id = ${batchId}`);
  if (msisdn !== undefined) conditions.push(sql`t.msisdn = ${msisdn} and t.msisdn <> ''`);
  if (subCompanyId !== undefined) conditions.push(sql`t.sub_company_id = ${subCompanyId}`);
  return every(conditions);
}

/** An id carries the time of its row, so a range of time is a range of ids. */
function created({ createdFrom, createdTo }: TransferFilter, id: Query): Query {
  const conditions: Query[] = [];
  if (createdFrom !== undefined)
    conditions.push(sql`${id} >= ${firstUuidAt(createdFrom.getTime())}`);
  if (createdTo !== undefined)
    conditions.push(sql`${id} < ${firstUuidAt(createdTo.getTime() + 1)}`);
  return every(conditions);
}

function hasStatus({ status }: TransferFilter): Query {
  if (status === undefined) return sql`true`;
  return status === "pending" ? sql`o.status is null` : sql`o.status = ${status}`;
}

export function toTransfer(row: TransferRow): Transfer {
  const facts = {
    id: row.id,
    reference: row.reference_given ?? row.reference,
    msisdn: row.msisdn_has_plus ? `+${row.msisdn}` : row.msisdn,
    amount: row.amount,
    fee: row.fee,
    description: row.description,
    metadata: row.metadata,
    batchId: row.batch_id,
    subCompanyId: row.sub_company_id,
  };
  if (row.status === null || row.ended_at === null)
    return { ...facts, status: "pending", failureReason: null, endedAt: null };
  if (row.status === "completed")
    return { ...facts, status: row.status, failureReason: null, endedAt: row.ended_at };
  const failureReason = row.failure_reason ?? "UNKNOWN_ERROR";
  return { ...facts, status: row.status, failureReason, endedAt: row.ended_at };
}
