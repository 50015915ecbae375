import type { Database } from "../database/database.ts";
import { deleteOldCheckouts } from "./store.ts";

/**
 * Deletes checkouts that did not change for 30 days: no charge lives that long, and there is no reason to keep the
 * phone numbers of people who did not pay. A bounded number; returns true when there may be more.
 */
export async function forgetCheckouts(database: Database, companyId: string): Promise<boolean> {
  return deleteOldCheckouts(database, companyId);
}
