import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Balances } from "./balances.ts";

export async function insertBooks(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`insert into books (company_id) values (${companyId})`);
  await tx.query(sql`insert into settling (company_id) values (${companyId})`);
}

/** The funding and its posting: the key of the one lets the other happen once. */
export async function insertFunding(
  tx: Tx,
  companyId: string,
  { id, amount }: { readonly id: string; readonly amount: number },
): Promise<void> {
  await tx.query(sql`
    insert into fundings (company_id, id, amount) values (${companyId}, ${id}, ${amount})`);
  await tx.query(sql`
    select post_movements(
      ${companyId}, 'company.funded', 'external', 'available', array[${id}]::uuid[], array[${amount}]::bigint[])`);
}

export async function selectBalances(
  database: Queryable,
  companyId: string,
): Promise<Balances | undefined> {
  const rows = await database.query<Balances>(sql`
    select available, in_flight, fees, external, paid_out from books where company_id = ${companyId}`);
  return rows[0];
}
