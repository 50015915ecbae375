import { auditChecks } from "../src/audit-checks.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

/** Tables that money can be read from. */
export const moneyTables = [
  "books",
  "postings",
  "fundings",
  "withdrawals",
  "adjustments",
  "prices",
  "batches",
  "transfers",
  "outcomes",
  "charges",
  "charge_transactions",
  "wallets",
  "wallet_entries",
  "events",
];

class TakenBack extends Error {}

/**
 * The checks of the audit that find something after statements that somebody with all rights over the database made,
 * past its triggers. Everything is taken back, so that each of them is made on books that are in order.
 */
export async function findSpoilt(
  database: Database,
  ...texts: readonly string[]
): Promise<string[]> {
  const found: string[] = [];
  try {
    await database.transaction(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      for (const text of texts) await tx.query({ text, values: [] });
      await tx.query(sql`set local enable_seqscan = on`);
      for (const check of auditChecks)
        if ((await check.find(tx)).length > 0) found.push(check.name);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return found;
}
