import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import { toServiceReference } from "../kernel/service-reference.ts";
import type { Wallet, WalletEntry } from "./wallet.ts";

interface WalletRow {
  readonly name: string | null;
  readonly balance: number;
  readonly is_frozen: boolean;
}

export async function selectWallet(
  database: Queryable,
  msisdn: string,
): Promise<Wallet | undefined> {
  const rows = await database.query<WalletRow>(sql`
    select c.first_name || ' ' || c.last_name as name, w.balance, w.is_frozen
    from wallets w
    left join customers c on c.msisdn = w.msisdn
    where w.msisdn = ${msisdn}`);
  const [row] = rows;
  return row && { name: row.name ?? undefined, balance: row.balance, isFrozen: row.is_frozen };
}

interface EntryRow {
  readonly subject_id: string;
  readonly event: string;
  readonly amount: number;
  readonly company_id: string;
  readonly company_name: string;
  readonly sub_company_name: string | null;
  readonly sub_company_logo_url: string | null;
  readonly description: string | null;
  readonly created_at: Date;
}

/** One row more than the page has, read along the primary key: downwards from a place or the end, or upwards. */
export async function selectEntries(
  database: Queryable,
  msisdn: string,
  { limit, from }: PageRequest,
): Promise<WalletEntry[]> {
  const range =
    from === undefined
      ? sql`true order by subject_id desc`
      : from.direction === "older"
        ? sql`subject_id < ${from.id} order by subject_id desc`
        : sql`subject_id > ${from.id} order by subject_id`;
  const rows = await database.query<EntryRow>(sql`
    select * from wallet_entries where msisdn = ${msisdn} and ${range} limit ${limit + 1}`);
  return rows.map(toEntry);
}

function toEntry(row: EntryRow): WalletEntry {
  return {
    id: row.subject_id,
    event: row.event,
    amount: row.amount,
    companyId: row.company_id,
    companyName: row.company_name,
    subCompany:
      row.sub_company_name === null
        ? undefined
        : { name: row.sub_company_name, logoUrl: row.sub_company_logo_url ?? "" },
    serviceReference: toServiceReference(row.subject_id),
    description: row.description,
    createdAt: row.created_at,
  };
}
