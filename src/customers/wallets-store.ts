import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { KycStatus } from "./customer.ts";
import type { NewWalletEntry } from "./wallet-entry.ts";

export interface LockedWallet {
  readonly msisdn: string;
  readonly balance: number;
  /** Null for the staging test number, which nobody adds to the book. */
  readonly kyc_status: KycStatus | null;
  /** Stands on the locked row itself, so that a freeze that committed while it was waited for is seen. */
  readonly is_frozen: boolean;
}

export async function insertTestWallet(tx: Tx, msisdn: string): Promise<void> {
  await tx.query(sql`
    insert into wallets as w (msisdn, may_overdraw) values (${msisdn}, true)
    on conflict (msisdn) do update set may_overdraw = true`);
}

export async function lockWallet(tx: Tx, msisdn: string): Promise<LockedWallet | undefined> {
  const rows = await tx.query<LockedWallet>(sql`
    select w.msisdn, w.balance, w.is_frozen, c.kyc_status
    from wallets w
    left join lateral (
      select i.kyc_status from customers i where i.msisdn = w.msisdn limit 1
    ) as c on true
    where w.msisdn = ${msisdn}
    for update of w`);
  return rows[0];
}

/** Moves an entry's amount into a locked wallet, or out of it when negative. */
export async function insertEntry(
  tx: Tx,
  event: "charge.paid" | "charge.refunded",
  entry: NewWalletEntry,
): Promise<void> {
  const { msisdn, subjectId, amount, companyId, companyName, subCompany, description } = entry;
  await tx.query(sql`
    insert into wallet_entries (
      msisdn, subject_id, event, amount, company_id, created_at, company_name, sub_company_name, sub_company_logo_url,
      description)
    values (
      ${msisdn}, ${subjectId}, ${event}, ${amount}, ${companyId}, ${entry.createdAt}, ${companyName},
      ${subCompany?.name ?? null}, ${subCompany?.logoUrl ?? null}, ${description})`);
  await tx.query(sql`
    update wallets set balance = balance + ${amount} where msisdn = ${msisdn}`);
}
