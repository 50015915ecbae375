import type { Database } from "../database/database.ts";
import { deleteOldKeys } from "./store.ts";

const keptDays = 30;
const deletedAtOnceMax = 1_000;

/** Deletes keys older than 30 days, a bounded number; returns true when there may be more. */
export async function forgetIdempotencyKeys(
  database: Database,
  companyId: string,
): Promise<boolean> {
  const deleted = await deleteOldKeys(database, companyId, keptDays, deletedAtOnceMax);
  return deleted === deletedAtOnceMax;
}
