import type { Queryable, Tx } from "../database/database.ts";
import { introducersOf, requirePermission } from "../staff/introducers.ts";
import { emailsOf } from "../staff/people.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { OfIntroducer } from "./errors.ts";

/**
 * Throws unless this person is a member who may decide, now; until the commit nobody takes that away. Answers who let the person
 * in: they count as the same person.
 */
export async function lockDecider(tx: Tx, companyId: string, by: ConsolePerson): Promise<string[]> {
  await requirePermission(tx, companyId, by, "approvals.decide");
  return introducersOf(tx, companyId, by.personId);
}

/** Throws when somebody who had a hand in it let the decider in. */
export async function refuseOfIntroducer(
  tx: Tx,
  hands: readonly string[],
  introducers: readonly string[],
): Promise<void> {
  const introducer = hands.find((id) => introducers.includes(id));
  if (introducer !== undefined) throw new OfIntroducer(await nameOf(tx, introducer));
}

/** Who of those who had a hand in it let this person in, by address; undefined: none of them. */
export async function findIntroducer(
  database: Queryable,
  companyId: string,
  personId: string,
  hands: readonly string[],
): Promise<string | undefined> {
  const introducers = await introducersOf(database, companyId, personId);
  const introducer = hands.find((id) => introducers.includes(id));
  return introducer === undefined ? undefined : nameOf(database, introducer);
}

async function nameOf(database: Queryable, personId: string): Promise<string> {
  return (await emailsOf(database, [personId])).get(personId) ?? personId;
}
