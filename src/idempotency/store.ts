import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { IdempotencyKey } from "./idempotency-key.ts";

/** Stands in a key's row until the work it belongs to has been done, in the same transaction. */
const notMadeYet = "00000000-0000-0000-0000-000000000000";

/** False when the key was used before, in this generation or in the one before it. */
export async function insertKey(
  tx: Tx,
  companyId: string,
  { key, requestHash }: IdempotencyKey,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into idempotency_keys as k (company_id, key, request_hash, made_id)
    select c.company_id, ${key}, ${requestHash}, ${notMadeYet}
    from companies c
    where c.company_id = ${companyId} and not exists (
      select 1 from former_idempotency_keys f where f.company_id = ${companyId} and f.key = ${key})
    on conflict (company_id, key) do nothing
    returning k.key`);
  return inserted.length > 0;
}

export async function updateKept(
  tx: Tx,
  companyId: string,
  { key }: IdempotencyKey,
  madeId: string,
  response: string | null,
): Promise<void> {
  await tx.query(sql`
    update idempotency_keys set made_id = ${madeId}, response = ${response}
    where company_id = ${companyId} and key = ${key}`);
}

/** What was made under a key; undefined when that was another request. */
export async function selectKept(
  database: Queryable,
  companyId: string,
  { key, requestHash }: IdempotencyKey,
): Promise<{ readonly madeId: string; readonly response: string | null } | undefined> {
  const rows = await database.query<{ made_id: string; response: string | null }>(sql`
    select made_id, response from idempotency_keys
    where company_id = ${companyId} and key = ${key} and request_hash = ${requestHash}
    union all
    select made_id, response from former_idempotency_keys
    where company_id = ${companyId} and key = ${key} and request_hash = ${requestHash}
    limit 1`);
  return rows[0] && { madeId: rows[0].made_id, response: rows[0].response };
}

/** See turn_idempotency_keys; waits for nobody longer than that. */
export async function turnKeys(database: Database, days: number, waitMs: number): Promise<boolean> {
  const rows = await database.execute<{ turned: boolean }>(sql`
    select turn_idempotency_keys(make_interval(days => ${days}), ${waitMs}) as turned`);
  return rows[0]?.turned ?? false;
}
