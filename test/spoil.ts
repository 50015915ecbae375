import { auditChecks } from "../src/audit-checks.ts";
import { continueFrom } from "../src/audits/continue-from.ts";
import { checksOfSome } from "../src/audits/run-audit.ts";
import type { Database, Tx } from "../src/database/database.ts";
import { inPart, isSharded, readParts } from "../src/database/parts.ts";
import { sql } from "../src/database/sql.ts";
import type { AuditCheck, Difference } from "../src/ledger/audit.ts";
import { type AuditRows, everything } from "../src/ledger/audit-rows.ts";
import { statementChecks } from "../src/statements/audit-chain.ts";
import { passTriggers } from "./past-triggers.ts";

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
  await spoiltFor(database, texts, auditChecks, async (tx, checks) => {
    found.push(...(await findIn(tx, checks, everything)));
  });
  return found;
}

/** The same of an audit that continues from a checkpoint. */
export async function findSpoiltSince(
  database: Database,
  checkpoint: string,
  ...texts: readonly string[]
): Promise<string[]> {
  const found: string[] = [];
  await spoiltFor(database, texts, checksOfSome(auditChecks), async (tx, checks) => {
    found.push(...(await findIn(tx, checks, await continueFrom(tx, checkpoint))));
  });
  return found;
}

async function findIn(tx: Tx, checks: readonly AuditCheck[], rows: AuditRows): Promise<string[]> {
  const found: string[] = [];
  for (const { name, find } of checks) if ((await find(tx, rows)).length > 0) found.push(name);
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
  await spoiltFor(database, texts, checks, async (tx, some) => {
    for (const check of some) isFound ||= (await check.find(tx, everything)).some(fits);
  });
  return isFound;
}

async function spoiltFor(
  database: Database,
  texts: readonly string[],
  checks: readonly AuditCheck[],
  look: (tx: Tx, checks: readonly AuditCheck[]) => Promise<void>,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await passTriggers(tx);
      for (const text of texts) await tx.query({ text, values: [] });
      await tx.query(sql`set local enable_seqscan = on`);
      if (await isSharded(database)) await lookInParts(tx, checks, look);
      else await look(tx, checks);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

/** As the audit looks at a database that is split. */
async function lookInParts(
  tx: Tx,
  checks: readonly AuditCheck[],
  look: (tx: Tx, checks: readonly AuditCheck[]) => Promise<void>,
): Promise<void> {
  await look(
    tx,
    checks.filter(({ of }) => of === "people"),
  );
  const others = checks.filter(({ of }) => of !== "people");
  for (const { companyIds } of await readParts(tx))
    await inPart(tx, companyIds, () => look(tx, others));
}
