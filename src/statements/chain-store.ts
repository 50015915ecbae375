import type { Queryable } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { Stretch } from "./lines-store.ts";

/** What a company's books say of its chain. */
export interface ChainHead {
  readonly last_posting: number;
  readonly chain: Buffer | null;
  readonly chained_after: number | null;
}

export async function selectChainHead(
  database: Queryable,
  companyId: string,
): Promise<ChainHead | undefined> {
  const rows = await database.query<ChainHead>(sql`
    select last_posting, chain, chained_after from books where company_id = ${companyId}`);
  return rows[0];
}

/** Null where no set ends. */
export async function selectChainAt(
  database: Queryable,
  companyId: string,
  number: number,
): Promise<Buffer | null> {
  const rows = await database.query<{ chain: Buffer | null }>(sql`
    select chain from postings where company_id = ${companyId} and number = ${number}`);
  return rows[0]?.chain ?? null;
}

/** Whether a posting `p` of a chain bears another mark than it was given, or none: see add_postings. */
export const isMismarked: Query = sql`p.mark is distinct from (hashint8extended(p.amount, uuid_hash_extended(p.subject_id,
  hashtextextended(p.event || ' ' || p.debit_account || ' ' || p.credit_account || ' '
    || to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0) # p.number)) >> 32)::integer`;

/** The first posting of a stretch that is not what it was, by its mark. */
export async function selectMismarked(
  database: Queryable,
  companyId: string,
  { after, upto }: Stretch,
): Promise<number | undefined> {
  const rows = await database.query<{ number: number }>(sql`
    select p.number from postings p
    where p.company_id = ${companyId} and p.number > ${after} and p.number <= ${upto} and ${isMismarked}
    order by p.number limit 1`);
  return rows[0]?.number;
}
