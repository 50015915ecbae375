import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { isWalletFrozen, type KnownCustomer } from "./customer.ts";
import { type CustomerRow, toCustomer } from "./store.ts";

/**
 * The wallets come first, in the order of the numbers, as for everybody who moves money, and what is read comes after the
 * locks.
 */
export async function lockCustomers(tx: Tx, msisdns: readonly string[]): Promise<KnownCustomer[]> {
  await tx.query(sql`
    select 1 from wallets where msisdn = any (${msisdns}::text[]) order by msisdn for update`);
  const rows = await tx.query<CustomerRow>(sql`
    select * from customers where msisdn = any (${msisdns}::text[]) order by msisdn for update`);
  return rows.map(toCustomer);
}

/** Puts people into the book, with empty wallets; answers the numbers of those who were not in it. */
export async function insertCustomers(
  tx: Tx,
  customers: readonly KnownCustomer[],
): Promise<Set<string>> {
  const columns = columnsOf(customers);
  const rows = await tx.query<{ msisdn: string }>(sql`
    insert into customers as c (msisdn, first_name, last_name, kyc_status, balance_max)
    select x.msisdn, x.first_name, x.last_name, x.kyc_status, x.balance_max
    from unnest(
      ${columns.msisdns}::text[], ${columns.firstNames}::text[], ${columns.lastNames}::text[],
      ${columns.kycStatuses}::kyc_status[], ${columns.balanceMaxes}::bigint[]
    ) as x(msisdn, first_name, last_name, kyc_status, balance_max)
    on conflict (msisdn) do nothing
    returning c.msisdn`);
  await tx.query(sql`
    insert into wallets as w (msisdn, is_frozen)
    select x.msisdn, x.is_frozen
    from unnest(${columns.msisdns}::text[], ${columns.frozen}::boolean[]) as x(msisdn, is_frozen)
    on conflict (msisdn) do update set is_frozen = excluded.is_frozen`);
  return new Set(rows.map(({ msisdn }) => msisdn));
}

/** Of customers that are locked. The wallets say what follows for their money. */
export async function updateCustomers(tx: Tx, customers: readonly KnownCustomer[]): Promise<void> {
  const columns = columnsOf(customers);
  await tx.query(sql`
    update customers as c set first_name = x.first_name, last_name = x.last_name,
      kyc_status = x.kyc_status, balance_max = x.balance_max, updated_at = now()
    from unnest(
      ${columns.msisdns}::text[], ${columns.firstNames}::text[], ${columns.lastNames}::text[],
      ${columns.kycStatuses}::kyc_status[], ${columns.balanceMaxes}::bigint[]
    ) as x(msisdn, first_name, last_name, kyc_status, balance_max)
    where c.msisdn = x.msisdn`);
  await tx.query(sql`
    update wallets as w set is_frozen = x.is_frozen
    from unnest(${columns.msisdns}::text[], ${columns.frozen}::boolean[]) as x(msisdn, is_frozen)
    where w.msisdn = x.msisdn and w.is_frozen <> x.is_frozen`);
}

function columnsOf(customers: readonly KnownCustomer[]) {
  return {
    msisdns: customers.map(({ msisdn }) => msisdn),
    firstNames: customers.map(({ firstName }) => firstName),
    lastNames: customers.map(({ lastName }) => lastName),
    kycStatuses: customers.map(({ kycStatus }) => kycStatus),
    balanceMaxes: customers.map(({ balanceMax }) => balanceMax),
    frozen: customers.map(isWalletFrozen),
  };
}
