import type { Database } from "../database/database.ts";
import { deleteOldBrowsers } from "./known-browsers-store.ts";
import { deleteOldCodes, deleteOldRecipients } from "./one-time-codes-store.ts";
import { deleteOldSessions } from "./wallet-sessions-store.ts";

/**
 * Deletes one-time codes, their recipients and wallet sessions that are older than a day, wrong tries older than fifty days
 * and browsers not heard of for half a year: long after they are good for anything or count for a limit. A bounded
 * number; returns true when there may be more.
 */
export async function forgetCodes(database: Database): Promise<boolean> {
  const codes = await deleteOldCodes(database);
  const recipients = await deleteOldRecipients(database);
  const sessions = await deleteOldSessions(database);
  const browsers = await deleteOldBrowsers(database);
  return codes || recipients || sessions || browsers;
}
