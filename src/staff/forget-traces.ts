import type { Database } from "../database/database.ts";
import { deleteOldTraces } from "./login-store.ts";
import { deleteOldSessions } from "./sessions-store.ts";

/** Sessions that ended, counts that hold no more, browsers and links of long ago; true when there may be more. */
export async function forgetStaffTraces(database: Database): Promise<boolean> {
  const [sessions, traces] = [await deleteOldSessions(database), await deleteOldTraces(database)];
  return sessions || traces;
}
