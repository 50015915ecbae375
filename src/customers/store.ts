import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Customer, KycStatus } from "./customer.ts";

interface CustomerRow {
  readonly msisdn: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly kyc_status: KycStatus;
  readonly balance_max: number | null;
}

/** False when the number is already in the book. */
export async function insertCustomer(tx: Tx, customer: Customer): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into customers as c (msisdn, first_name, last_name, kyc_status, balance_max)
    values (${customer.msisdn}, ${customer.firstName}, ${customer.lastName}, ${customer.kycStatus}, ${customer.balanceMax})
    on conflict (msisdn) do nothing
    returning c.msisdn`);
  if (rows.length === 0) return false;
  await tx.query(
    sql`insert into wallets (msisdn) values (${customer.msisdn}) on conflict (msisdn) do nothing`,
  );
  return true;
}

export async function updateCustomer(database: Queryable, customer: Customer): Promise<void> {
  await database.query(sql`
    update customers set first_name = ${customer.firstName}, last_name = ${customer.lastName},
      kyc_status = ${customer.kycStatus}, balance_max = ${customer.balanceMax}, updated_at = now()
    where msisdn = ${customer.msisdn}`);
}

export async function selectCustomer(
  database: Queryable,
  msisdn: string,
): Promise<Customer | undefined> {
  const rows = await database.query<CustomerRow>(
    sql`select * from customers where msisdn = ${msisdn}`,
  );
  return rows[0] && toCustomer(rows[0]);
}

/** A page of the book in the order of the numbers, with what each wallet holds. */
export async function selectCustomers(
  database: Queryable,
  after: string,
  limit: number,
): Promise<(Customer & { readonly balance: number })[]> {
  const rows = await database.query<CustomerRow & { balance: number }>(sql`
    select c.*, w.balance
    from customers c
    join wallets w on w.msisdn = c.msisdn
    where c.msisdn > ${after}
    order by c.msisdn
    limit ${limit}`);
  return rows.map((row) => ({ ...toCustomer(row), balance: row.balance }));
}

function toCustomer(row: CustomerRow): Customer {
  return {
    msisdn: row.msisdn,
    firstName: row.first_name,
    lastName: row.last_name,
    kycStatus: row.kyc_status,
    balanceMax: row.balance_max,
  };
}
