import { auditChecks } from "../src/audit-checks.ts";
import type { Database, Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import type { AuditCheck, Difference } from "../src/ledger/audit.ts";
import { statementChecks } from "../src/statements/audit-chain.ts";

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
  "event_runs",
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
  await spoiltFor(database, texts, async (tx) => {
    for (const check of auditChecks) if ((await check.find(tx)).length > 0) found.push(check.name);
  });
  return found;
}

/** Whether a difference that the audit, or some of its checks, finds after such statements fits; it goes on until one does. */
export async function isFoundAt(
  database: Database,
  texts: readonly string[],
  fits: (difference: Difference) => boolean,
  // What concerns postings is named by the chain.
  checks: readonly AuditCheck[] = [...statementChecks, ...auditChecks],
): Promise<boolean> {
  let isFound = false;
  await spoiltFor(database, texts, async (tx) => {
    for (const check of checks) {
      isFound = (await check.find(tx)).some(fits);
      if (isFound) return;
    }
  });
  return isFound;
}

async function spoiltFor(
  database: Database,
  texts: readonly string[],
  look: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      for (const text of texts) await tx.query({ text, values: [] });
      await tx.query(sql`set local enable_seqscan = on`);
      await look(tx);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}
