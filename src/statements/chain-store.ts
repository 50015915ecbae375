import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

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
