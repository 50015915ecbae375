import type { Database } from "../src/database/database.ts";
import { insertAudit } from "../src/ledger/audit-store.ts";

/** An audit that has ended with so many differences. */
export async function endAudit(
  database: Database,
  differences: number,
  { isFull = true, seconds = 3 }: { readonly isFull?: boolean; readonly seconds?: number } = {},
): Promise<void> {
  const begunAt = new Date(Date.now() - seconds * 1_000);
  const differencesOf = { "each company's balances sum to zero": differences };
  await insertAudit(database, { begunAt, isFull, differencesOf, operator: "a test" });
}
