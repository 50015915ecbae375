import type { Database } from "../database/database.ts";
import { deleteOldCodes, deleteOldRecipients } from "./one-time-codes-store.ts";
import { deleteOldSessions } from "./wallet-sessions-store.ts";

/**
 * Deletes one-time codes, their recipients and wallet sessions that are older than a day, long after they
 * are good for anything or count for a limit. A bounded number; returns true when there may be more.
 */
export async function forgetCodes(database: Database): Promise<boolean> {
  const codes = await deleteOldCodes(database);
  const recipients = await deleteOldRecipients(database);
  const sessions = await deleteOldSessions(database);
  return codes || recipients || sessions;
}
