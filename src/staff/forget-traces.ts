import type { Database } from "../database/database.ts";
import { deleteOldTraces } from "./login-store.ts";
import { deleteOldChallenges } from "./passkeys-store.ts";
import { deleteOldSessions } from "./sessions-store.ts";

/** Sessions that ended, challenges that expired, counts that hold no more, browsers and links of long ago; true when there may be more. */
export async function forgetStaffTraces(database: Database): Promise<boolean> {
  const sessions = await deleteOldSessions(database);
  const challenges = await deleteOldChallenges(database);
  const traces = await deleteOldTraces(database);
  return sessions || challenges || traces;
}
