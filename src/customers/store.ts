import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { isWalletFrozen, type KnownCustomer, type KycStatus } from "./customer.ts";

export interface CustomerRow {
  readonly msisdn: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly kyc_status: KycStatus;
  readonly balance_max: number | null;
  readonly is_frozen: boolean;
}

/** False when the number is already in the book. */
export async function insertCustomer(tx: Tx, customer: KnownCustomer): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into customers as c (msisdn, first_name, last_name, kyc_status, balance_max)
    values (${customer.msisdn}, ${customer.firstName}, ${customer.lastName}, ${customer.kycStatus}, ${customer.balanceMax})
    on conflict (msisdn) do nothing
    returning c.msisdn`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    insert into wallets as w (msisdn, is_frozen) values (${customer.msisdn}, ${isWalletFrozen(customer)})
    on conflict (msisdn) do update set is_frozen = excluded.is_frozen`);
  return true;
}

/** The wallet comes first, as for everybody who moves money, and what is read comes after both locks. */
export async function lockCustomer(tx: Tx, msisdn: string): Promise<KnownCustomer | undefined> {
  await tx.query(sql`select 1 from wallets where msisdn = ${msisdn} for update`);
  const rows = await tx.query<CustomerRow>(
    sql`select * from customers where msisdn = ${msisdn} for update`,
  );
  return rows[0] && toCustomer(rows[0]);
}

/** Of a customer that is locked. The wallet says what follows for its money. */
export async function updateCustomer(tx: Tx, customer: KnownCustomer): Promise<void> {
  await tx.query(sql`
    update customers set first_name = ${customer.firstName}, last_name = ${customer.lastName},
      kyc_status = ${customer.kycStatus}, balance_max = ${customer.balanceMax}, is_frozen = ${customer.isFrozen},
      updated_at = now()
    where msisdn = ${customer.msisdn}`);
  await tx.query(sql`
    update wallets set is_frozen = ${isWalletFrozen(customer)} where msisdn = ${customer.msisdn}`);
}

export async function selectCustomer(
  database: Queryable,
  msisdn: string,
): Promise<KnownCustomer | undefined> {
  const rows = await database.query<CustomerRow>(
    sql`select * from customers where msisdn = ${msisdn}`,
  );
  return rows[0] && toCustomer(rows[0]);
}

/** Those of these numbers that are in the book. */
export async function selectKnownCustomers(
  database: Queryable,
  msisdns: readonly string[],
): Promise<KnownCustomer[]> {
  const rows = await database.query<CustomerRow>(sql`
    select c.*
    from unnest(${msisdns}::text[]) as x(msisdn)
    cross join lateral (select i.* from customers i where i.msisdn = x.msisdn limit 1) as c`);
  return rows.map(toCustomer);
}

/** One person, with what the wallet holds. */
export async function selectCustomerWithBalance(
  database: Queryable,
  msisdn: string,
): Promise<(KnownCustomer & { readonly balance: number }) | undefined> {
  const [row] = await database.query<CustomerRow & { balance: number }>(sql`
    select c.*, w.balance from customers c join wallets w on w.msisdn = c.msisdn where c.msisdn = ${msisdn}`);
  return row && { ...toCustomer(row), balance: row.balance };
}

/** A page of the book in the order of the numbers, with what each wallet holds. */
export async function selectCustomers(
  database: Queryable,
  after: string,
  limit: number,
): Promise<(KnownCustomer & { readonly balance: number })[]> {
  const rows = await database.query<CustomerRow & { balance: number }>(sql`
    select c.*, w.balance
    from customers c
    join wallets w on w.msisdn = c.msisdn
    where c.msisdn > ${after}
    order by c.msisdn
    limit ${limit}`);
  return rows.map((row) => ({ ...toCustomer(row), balance: row.balance }));
}

export function toCustomer(row: CustomerRow): KnownCustomer {
  return {
    msisdn: row.msisdn,
    firstName: row.first_name,
    lastName: row.last_name,
    kycStatus: row.kyc_status,
    balanceMax: row.balance_max,
    isFrozen: row.is_frozen,
  };
}
