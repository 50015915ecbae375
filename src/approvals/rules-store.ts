import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export async function selectAloneMax(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query<{ alone_max: number }>(sql`
    select alone_max from approval_rules where company_id = ${companyId}`);
  return rows[0]?.alone_max ?? 0;
}

/** The same; nobody else changes it until the commit. */
export async function lockAloneMax(tx: Tx, companyId: string): Promise<number> {
  await tx.query(sql`
    insert into approval_rules (company_id, alone_max) values (${companyId}, 0) on conflict (company_id) do nothing`);
  const rows = await tx.query<{ alone_max: number }>(sql`
    select alone_max from approval_rules where company_id = ${companyId} for update`);
  return rows[0]?.alone_max ?? 0;
}

export async function updateAloneMax(tx: Tx, companyId: string, aloneMax: number): Promise<void> {
  await tx.query(sql`
    update approval_rules set alone_max = ${aloneMax} where company_id = ${companyId}`);
}

/** What a person has paid out alone since then: an id carries its time. */
export async function sumMadeAlone(
  database: Queryable,
  companyId: string,
  personId: string,
  sinceId: string,
): Promise<number> {
  const rows = await database.query<{ total: number }>(sql`
    select coalesce(sum(total_amount), 0)::bigint as total from proposals
    where company_id = ${companyId} and made_by = ${personId} and not needs_approval and id >= ${sinceId}`);
  return rows[0]?.total ?? 0;
}
