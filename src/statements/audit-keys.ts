import type { Queryable } from "../database/database.ts";
import { type AuditResult, type Difference, differencesMax } from "../ledger/audit.ts";
import { judgeKeys } from "./key-bindings.ts";
import { countSealsOf, selectLedgerKeys } from "./keys-store.ts";
import type { LedgerKey } from "./seal.ts";

/**
 * Whether every key that signed here is the operator's. It needs the key that signs now, so it stands apart from the checks that need
 * the database alone: whoever may write to that can put a key there, and sign with it what the other checks hold to be in order.
 */
export async function auditLedgerKeys(
  database: Queryable,
  own: LedgerKey | undefined,
): Promise<AuditResult> {
  const keys = await selectLedgerKeys(database);
  const differences: Difference[] = [];
  if (own === undefined && keys.length > 0)
    differences.push({
      where: "the ledger keys",
      expected: "the master key that this database is sealed with, to check them by",
      found: "none, or another: set MASTER_KEY or DATA_DIR as the service has it",
    });
  for (const { id, why } of own === undefined ? [] : judgeKeys(keys, own).unbound)
    differences.push({
      where: `ledger key ${id}, named by ${await countSealsOf(database, id)} seals`,
      expected: "a key of the operator's",
      found: `one that is not: ${why}`,
    });
  return {
    check: "each key that seals are signed with is the operator's own",
    examined: keys.length,
    differences: differences.slice(0, differencesMax),
  };
}
