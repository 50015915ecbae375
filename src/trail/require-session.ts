import type { Tx } from "../database/database.ts";
import type { Actor } from "./actor.ts";
import { NotPermitted } from "./errors.ts";
import { hasSession } from "./store.ts";

/**
 * Throws when the session in which somebody acts has ended since the request came. Whoever ends somebody's sessions locks the
 * memberships first, so that after a look at one's own membership this holds until the commit.
 */
export async function requireSession(tx: Tx, by: Actor): Promise<void> {
  if (!("personId" in by) || by.sessionId === undefined) return;
  if (!(await hasSession(tx, by.personId, by.sessionId))) throw new NotPermitted();
}
