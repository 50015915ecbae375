import type { Tx } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { requireSession } from "../trail/require-session.ts";
import { lockOwners } from "./memberships-store.ts";

export { lockOwners } from "./memberships-store.ts";

/** A company's owners, of whom this person has to be one; nobody else changes who they are until the commit. */
export async function lockOwnersFor(
  tx: Tx,
  companyId: string,
  by: ConsolePerson,
): Promise<string[]> {
  const owners = await lockOwners(tx, companyId);
  if (!owners.includes(by.personId)) throw new NotPermitted();
  await requireSession(tx, by);
  return owners;
}
