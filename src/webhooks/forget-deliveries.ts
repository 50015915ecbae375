import type { Database } from "../database/database.ts";
import { deleteOldDeliveries } from "./deliveries-store.ts";

export const keptDays = 30;
const deletedAtOnceMax = 1_000;

/**
 * Deletes what has been finished for 30 days: deliveries with their attempts, and events nobody needs any
 * more. A bounded number; returns true when there may be more.
 */
export async function forgetDeliveries(database: Database, companyId: string): Promise<boolean> {
  return deleteOldDeliveries(database, companyId, keptDays, deletedAtOnceMax);
}
