import type { Database } from "../database/database.ts";
import { lookAgain } from "../database/retry.ts";
import { lockCompanyMoney, selectPresentIds } from "./store.ts";

/**
 * After a connection broke under a submission: which of its transfers are in the books? It first waits
 * for the company's lock, which the lost call may still hold while it commits. What is found happened.
 * What is not found may still happen later, so its caller is told "unknown", never "failed".
 */
export async function findLanded(
  database: Database,
  companyId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await lookAgain(database, async (tx) => {
    await lockCompanyMoney(tx, companyId);
    return selectPresentIds(tx, companyId, ids);
  });
  return found ?? new Set();
}
