import type { Database } from "../database/database.ts";
import { deleteOldCheckouts } from "./store.ts";

/**
 * Deletes what is older than 30 days: no charge lives that long, and the numbers of people who did not pay
 * are nobody's to keep. A bounded number; returns true when there may be more.
 */
export async function forgetCheckouts(database: Database, companyId: string): Promise<boolean> {
  return deleteOldCheckouts(database, companyId);
}
