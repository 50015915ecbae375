import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { KycStatus } from "./customer.ts";
import type { NewWalletEntry } from "./wallet-entry.ts";

export interface LockedWallet {
  readonly msisdn: string;
  readonly balance: number;
  readonly may_overdraw: boolean;
  /** Null for the staging test number, which nobody adds to the book. */
  readonly kyc_status: KycStatus | null;
  readonly balance_max: number | null;
}

export async function insertTestWallet(tx: Tx, msisdn: string): Promise<void> {
  await tx.query(sql`
    insert into wallets as w (msisdn, may_overdraw) values (${msisdn}, true)
    on conflict (msisdn) do update set may_overdraw = true`);
}

/** Locks in the order of the numbers, so that two settlements that share people never deadlock. */
export async function lockWallets(tx: Tx, msisdns: readonly string[]): Promise<LockedWallet[]> {
  return tx.query<LockedWallet>(sql`
    select w.msisdn, w.balance, w.may_overdraw, c.kyc_status, c.balance_max
    from wallets w
    left join customers c on c.msisdn = w.msisdn
    where w.msisdn = any(${msisdns}::text[])
    order by w.msisdn
    for update of w`);
}

/** Which of these subjects have their entry already: a settlement that was cut off in between. */
export async function selectCredited(
  tx: Tx,
  event: string,
  credits: readonly NewWalletEntry[],
): Promise<Set<string>> {
  const rows = await tx.query<{ subject_id: string }>(sql`
    select e.subject_id
    from unnest(
      ${credits.map((credit) => credit.msisdn)}::text[],
      ${credits.map((credit) => credit.subjectId)}::uuid[]
    ) as x(msisdn, subject_id)
    cross join lateral (
      select i.subject_id from wallet_entries i
      where i.msisdn = x.msisdn and i.subject_id = x.subject_id and i.event = ${event} limit 1
    ) as e`);
  return new Set(rows.map((row) => row.subject_id));
}

export async function insertEntries(
  tx: Tx,
  event: string,
  entries: readonly NewWalletEntry[],
): Promise<void> {
  await tx.query(sql`
    insert into wallet_entries (
      msisdn, subject_id, event, amount, company_id, company_name, sub_company_name,
      sub_company_logo_url, service_reference, description)
    select x.msisdn, x.subject_id, ${event}, x.amount, x.company_id, x.company_name, x.sub_company_name,
      x.sub_company_logo_url, x.service_reference, x.description
    from unnest(
      ${entries.map((entry) => entry.msisdn)}::text[],
      ${entries.map((entry) => entry.subjectId)}::uuid[],
      ${entries.map((entry) => entry.amount)}::bigint[],
      ${entries.map((entry) => entry.companyId)}::uuid[],
      ${entries.map((entry) => entry.companyName)}::text[],
      ${entries.map((entry) => entry.subCompany?.name ?? null)}::text[],
      ${entries.map((entry) => entry.subCompany?.logoUrl ?? null)}::text[],
      ${entries.map((entry) => entry.serviceReference)}::text[],
      ${entries.map((entry) => entry.description)}::text[]
    ) as x(msisdn, subject_id, amount, company_id, company_name, sub_company_name, sub_company_logo_url,
      service_reference, description)`);
}

export async function addToWallets(tx: Tx, additions: ReadonlyMap<string, number>): Promise<void> {
  const msisdns = [...additions.keys()];
  await tx.query(sql`
    update wallets as w set balance = w.balance + x.amount
    from unnest(${msisdns}::text[], ${[...additions.values()]}::bigint[]) as x(msisdn, amount)
    where w.msisdn = x.msisdn and w.msisdn = any(${msisdns}::text[])`);
}
