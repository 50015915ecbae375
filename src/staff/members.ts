import type { Database } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { requireSession } from "../trail/require-session.ts";
import { hashPassword } from "./passwords.ts";
import { recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import { recordCredentials } from "./record-credentials.ts";
import { hashSessionToken } from "./sessions.ts";
import { deleteSessionById, deleteSessionsOf } from "./sessions-store.ts";
import { lockPerson, replacePassword } from "./store.ts";

/** Ends one of a person's own sessions, on every node at once; false when it has no such session. */
export function endOwnSession(
  database: Database,
  person: Person,
  sessionId: string,
  by: ConsolePerson,
  /** Why, when its person has not asked for it. */
  reason?: "codes",
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await deleteSessionById(tx, person.id, sessionId))) return false;
    const to = { count: 1, ...(reason === undefined ? {} : { reason }) };
    await recordEverywhere(tx, person, by, { action: "person.sessions_ended", to });
    return true;
  });
}

/** Ends all others; answers how many there were. */
export function endOtherSessions(
  database: Database,
  person: Person,
  keptToken: string,
  by: ConsolePerson,
): Promise<number> {
  return database.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, person.id, hashSessionToken(keptToken));
    await recordEverywhere(tx, person, by, { action: "person.sessions_ended", to: { count } });
    return count;
  });
}

/**
 * A new password ends every other session of its person. False when the one before is not what it was: somebody has changed
 * it, or the person was reset, while the new one was stretched. Throws NotPermitted when the session has ended meanwhile.
 */
export async function changePassword(
  database: Database,
  person: Person,
  { before, password }: { readonly before: string; readonly password: string },
  keptToken: string,
  by: ConsolePerson,
): Promise<boolean> {
  const stretched = await hashPassword(password, person.id);
  return database.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    await requireSession(tx, by);
    if (!(await replacePassword(tx, person.id, before, stretched))) return false;
    await deleteSessionsOf(tx, person.id, hashSessionToken(keptToken));
    await recordEverywhere(tx, person, by, { action: "person.password_changed" });
    await recordCredentials(tx, person.id, by);
    return true;
  });
}
