import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { lockCompanyMoney, selectPresentIds } from "./store.ts";

const attemptsMax = 5;
const attemptDelayMs = 400;

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
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    try {
      return await database.transaction(async (tx) => {
        await lockCompanyMoney(tx, companyId);
        return selectPresentIds(tx, companyId, ids);
      });
    } catch {
      if (attempt < attemptsMax) await sleep(attemptDelayMs * attempt);
    }
  }
  return new Set();
}
