import type { Database } from "../database/database.ts";
import { deleteOldCounts } from "./budget-store.ts";

/** Deletes the counts of messages that no budget asks for any more. A bounded number; true when there may be more. */
export async function forgetMessageCounts(database: Database): Promise<boolean> {
  return deleteOldCounts(database);
}
