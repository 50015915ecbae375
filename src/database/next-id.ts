import { newNonce, orderedId } from "../kernel/ordered-id.ts";
import type { Tx } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * The id for the next row of a company's list. It holds the list's lock until the commit, so that rows become visible
 * in the order of their ids, and whoever follows a list from its newest row misses none.
 */
export async function nextId(tx: Tx, companyId: string, list: string): Promise<string> {
  const rows = await tx.query<{ ms: number; base: number }>(sql`
    select ms, base from take_places(${companyId}, ${list}, 1)`);
  const { ms, base } = rows[0] ?? { ms: 0, base: 0 };
  return orderedId(ms, base + 1, newNonce());
}
