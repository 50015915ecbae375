import type { Queryable, Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { HeldDecision, HeldRow, HeldScope } from "./held.ts";

/** Null: keys are not concerned. */
export async function selectKeysAloneMax(
  database: Queryable,
  companyId: string,
): Promise<number | null> {
  const rows = await database.query<{ keys_alone_max: number | null }>(sql`
    select keys_alone_max from books where company_id = ${companyId}`);
  return rows[0]?.keys_alone_max ?? null;
}

/** The same; nobody else changes it until the commit. */
export async function lockKeysAloneMax(tx: Tx, companyId: string): Promise<number | null> {
  const rows = await tx.query<{ keys_alone_max: number | null }>(sql`
    select keys_alone_max from books where company_id = ${companyId} for update`);
  return rows[0]?.keys_alone_max ?? null;
}

/** The row is the company's lock: whoever accepts after the commit keeps to it. */
export async function updateKeysAloneMax(
  tx: Tx,
  companyId: string,
  keysAloneMax: number | null,
): Promise<void> {
  await tx.query(sql`
    update books as b set keys_alone_max = ${keysAloneMax} where b.company_id = ${companyId}`);
}

const columns = sql`
  t.id, t.batch_id as "batchId", t.msisdn, t.amount, t.fee,
  coalesce(t.reference_given, t.reference) as reference, t.description`;

/** What is held and nobody has decided about, the oldest first. */
export async function selectHeld(
  database: Queryable,
  companyId: string,
  scope: HeldScope,
  limit: number,
): Promise<HeldRow[]> {
  if (scope.kind === "batch")
    return database.query<HeldRow>(sql`
      select ${columns}
      from transfers t
      cross join lateral (
        select i.id from held_transfers i
        where i.company_id = ${companyId} and i.id = t.id and i.decision_id is null limit 1
      ) as q
      where t.company_id = ${companyId} and t.batch_id = ${scope.batchId} order by t.id limit ${limit}`);
  return database.query<HeldRow>(sql`
    select ${columns}
    from held_transfers q
    cross join lateral (
      select i.* from transfers i where i.company_id = ${companyId} and i.id = q.id limit 1
    ) as t
    where q.company_id = ${companyId} and q.decision_id is null and ${within(scope)}
    order by q.id limit ${limit}`);
}

function within(scope: Exclude<HeldScope, { kind: "batch" }>): Query {
  if (scope.kind === "transfer") return sql`q.id = ${scope.transferId}`;
  return scope.upto === undefined ? sql`true` : sql`q.id <= ${scope.upto}`;
}

export async function countHeldRows(
  database: Queryable,
  companyId: string,
  max: number,
): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select 1 from held_transfers where company_id = ${companyId} and decision_id is null limit ${max}) as w`);
  return rows[0]?.count ?? 0;
}

/** Who at the console has made these keys. */
export async function selectKeyMakers(
  database: Queryable,
  companyId: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ person_id: string }>(sql`
    select distinct person_id from company_trail
    where company_id = ${companyId} and action = 'key.issued' and subject = any (${keys}::text[]) and person_id is not null`);
  return rows.map(({ person_id }) => person_id);
}

export interface NewHeldDecision extends Omit<HeldDecision, "hash"> {
  readonly contentHash: Buffer;
  readonly hands: readonly string[];
  /** Who let in whoever decides. */
  readonly introducers: readonly string[];
}

/** The database refuses whoever has made one of the keys, and whoever was let in by one of them. */
export async function insertHeldDecision(
  tx: Tx,
  companyId: string,
  decision: NewHeldDecision,
): Promise<void> {
  await tx.query(sql`
    insert into held_decisions (
      company_id, id, verdict, content_hash, row_count, total_amount, total_fee, hands, introducers, decided_by,
      comment)
    values (
      ${companyId}, ${decision.id}, ${decision.verdict}, ${decision.contentHash}, ${decision.rowTotal},
      ${decision.totalAmount}, ${decision.totalFee}, ${decision.hands}::uuid[], ${decision.introducers}::uuid[],
      ${decision.decidedBy}, ${decision.comment})`);
}

/** See end_hold. */
export async function endHold(
  tx: Tx,
  companyId: string,
  { id, verdict }: Pick<HeldDecision, "id" | "verdict">,
  transferIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    select end_hold(${companyId}, ${id}, ${verdict === "approved"}, ${transferIds}::uuid[])`);
}

interface DecisionRow {
  readonly id: string;
  readonly verdict: HeldDecision["verdict"];
  readonly content_hash: Buffer;
  readonly row_count: number;
  readonly total_amount: number;
  readonly total_fee: number;
  readonly decided_by: string;
  readonly comment: string | null;
}

/** The newest first. */
export async function selectHeldDecisions(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<HeldDecision[]> {
  const rows = await database.query<DecisionRow>(sql`
    select * from held_decisions where company_id = ${companyId} order by id desc limit ${limit}`);
  return rows.map(toDecision);
}

/** Whether a transfer was held; its decision, once there is one. */
export async function selectHold(
  database: Queryable,
  companyId: string,
  transferId: string,
): Promise<{ readonly decision: HeldDecision | null } | undefined> {
  const rows = await database.query<DecisionRow | (DecisionRow & { readonly id: null })>(sql`
    select d.* from held_transfers q
    left join lateral (
      select i.* from held_decisions i where i.company_id = ${companyId} and i.id = q.decision_id limit 1
    ) as d on true
    where q.company_id = ${companyId} and q.id = ${transferId}`);
  const [row] = rows;
  return row && { decision: row.id === null ? null : toDecision(row) };
}

function toDecision(row: DecisionRow): HeldDecision {
  return {
    id: row.id,
    verdict: row.verdict,
    hash: row.content_hash.toString("hex"),
    rowTotal: row.row_count,
    totalAmount: row.total_amount,
    totalFee: row.total_fee,
    decidedBy: row.decided_by,
    comment: row.comment,
  };
}
