import type { Queryable, Tx } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { requireSession } from "../trail/require-session.ts";
import { type Permission, roleMay } from "./roles.ts";
import { lockRole, selectIntroductions } from "./store.ts";

/**
 * Throws unless this person is a member of the company, now, whose role permits it; until the commit nobody takes the membership
 * away. Whatever a person does to money or people asks this inside its transaction: a session that was good when the request came
 * may have ended since.
 */
export async function requirePermission(
  tx: Tx,
  companyId: string,
  by: ConsolePerson,
  permission: Permission,
): Promise<void> {
  const role = await lockRole(tx, companyId, by.personId);
  if (role === undefined || !roleMay(role, permission)) throw new NotPermitted();
  await requireSession(tx, by);
}

/**
 * Everybody who let this person into the company or raised the role, and who had let those in, on to the operator, with whom it
 * ends. They may be one and the same person behind several addresses, so none of them counts as the other of two people.
 */
export async function introducersOf(
  database: Queryable,
  companyId: string,
  personId: string,
): Promise<string[]> {
  const introductions = await selectIntroductions(database, companyId);
  const found = new Set<string>();
  const toFollow = [personId];
  for (let one = toFollow.pop(); one !== undefined; one = toFollow.pop())
    for (const introducer of introductions.get(one) ?? [])
      if (!found.has(introducer)) {
        found.add(introducer);
        toFollow.push(introducer);
      }
  found.delete(personId);
  return [...found];
}
