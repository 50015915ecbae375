import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type AccountKind, accountKinds, type Movement, overdrawableAccounts } from "./posting.ts";

export async function insertBooks(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`insert into company_counters (company_id) values (${companyId})`);
  await tx.query(sql`
    insert into accounts (company_id, kind, may_overdraw)
    select c.company_id, x.kind, x.may_overdraw
    from companies c,
      unnest(
        ${accountKinds}::text[],
        ${accountKinds.map((kind) => overdrawableAccounts.has(kind))}::boolean[]
      ) as x(kind, may_overdraw)
    where c.company_id = ${companyId}`);
}

export async function insertMovement(tx: Tx, companyId: string, movement: Movement): Promise<void> {
  await tx.query(sql`
    select post_movements(
      ${companyId}, ${movement.event}, ${movement.debit}, ${movement.credit},
      ${movement.parts.map((part) => part.subjectId)}::uuid[],
      ${movement.parts.map((part) => part.amount)}::bigint[])`);
}

export async function selectBalance(
  database: Queryable,
  companyId: string,
  kind: AccountKind,
): Promise<number | undefined> {
  const rows = await database.query<{ balance: number }>(sql`
    select balance from accounts where company_id = ${companyId} and kind = ${kind}`);
  return rows[0]?.balance;
}
