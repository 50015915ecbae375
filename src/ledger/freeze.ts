import type { Queryable, Tx } from "../database/database.ts";
import { selectFrozen, updateFrozen } from "./store.ts";

/**
 * Freezes a company's books or opens them again; false when they were so already. It waits for whoever moves the
 * company's money right now: what they do stands, and whoever comes after the commit is refused.
 */
export async function setFrozen(tx: Tx, companyId: string, toFrozen: boolean): Promise<boolean> {
  return updateFrozen(tx, companyId, toFrozen);
}

export async function isFrozen(database: Queryable, companyId: string): Promise<boolean> {
  return selectFrozen(database, companyId);
}
