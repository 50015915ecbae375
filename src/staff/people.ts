import type { Database, Queryable, Tx } from "../database/database.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany, recordForPerson } from "../trail/record.ts";
import type { Fields } from "../trail/trail.ts";
import { TooManyMembers } from "./errors.ts";
import { checkPassword } from "./passwords.ts";
import {
  type Membership,
  membershipsPerPersonMax,
  membersPerCompanyMax,
  type Person,
} from "./person.ts";
import type { CompanyRole } from "./roles.ts";
import {
  countMemberships,
  type Member,
  putMembership,
  selectEmails,
  selectMembers,
  selectMemberships,
  selectPeople,
  selectPerson,
  selectPersonByEmail,
  updateLanguage,
  upsertPerson,
} from "./store.ts";

export { lockPerson, lockRole, type Member } from "./store.ts";

/** Somebody with this address, made if need be. */
export function findOrMakePerson(
  tx: Tx,
  now: Date,
  email: string,
): Promise<Person & { readonly isNew: boolean }> {
  return upsertPerson(tx, newUuid(now.getTime()), email);
}

/**
 * Makes a person a member of a company, or gives a member another role. Throws TooManyMembers. Whether it takes a second power
 * was seen to before: this is in force at once.
 */
export async function joinCompany(
  tx: Tx,
  person: Pick<Person, "id" | "email">,
  { companyId, role }: Membership,
  by: Operator | ConsolePerson,
  /** Who let the person in, and who had let those in; none: the operator. */
  introducedBy: readonly string[] = [],
): Promise<CompanyRole | undefined> {
  const before = await putMembership(tx, companyId, person.id, role, introducedBy);
  const { members, companies } = await countMemberships(tx, companyId, person.id);
  if (members > membersPerCompanyMax || companies > membershipsPerPersonMax)
    throw new TooManyMembers();
  await recordForCompany(tx, companyId, by, {
    action: before === undefined ? "member.joined" : "member.role_changed",
    subject: person.email,
    from: { role: before ?? null },
    // Whoever has the role already keeps those who let the person in.
    to: { role, ...(before === undefined ? trailedIntroducers(introducedBy) : {}) },
  });
  return before;
}

/** Those who let somebody in count as the same person: the trail says who they are. Nothing, where it was the operator. */
export function trailedIntroducers(ids: readonly string[]): Fields {
  return ids.length === 0 ? {} : { introducers: ids.join(" ") };
}

/** Tells each company that a person works for, and the person's own trail, what happened to the person. */
export async function recordEverywhere(
  tx: Tx,
  person: Pick<Person, "id" | "email">,
  by: Operator | ConsolePerson,
  entry: Parameters<typeof recordForPerson>[3],
): Promise<void> {
  await recordForPerson(tx, person.id, by, entry);
  for (const { companyId } of await selectMemberships(tx, person.id))
    await recordForCompany(tx, companyId, by, { ...entry, subject: person.email });
}

export function findPersonByEmail(database: Queryable, email: string): Promise<Person | undefined> {
  return selectPersonByEmail(database, email);
}

/**
 * The password as it is kept, if this is the one of somebody who is signed in or about to join; undefined if not. Throws
 * TooBusyForPasswords. To look takes long enough for the password to become another: whoever changes it says which one it was.
 */
export async function checkOwnPassword(
  database: Queryable,
  personId: string,
  password: string,
): Promise<string | undefined> {
  const kept = (await selectPerson(database, personId))?.password ?? null;
  const isRight = await checkPassword(password, kept, { isKnown: true, lane: personId });
  return isRight && kept !== null ? kept : undefined;
}

export function findPerson(database: Queryable, personId: string): Promise<Person | undefined> {
  return selectPerson(database, personId);
}

export function membershipsOf(database: Queryable, personId: string): Promise<Membership[]> {
  return selectMemberships(database, personId);
}

export function membersOf(database: Queryable, companyId: string): Promise<Member[]> {
  return selectMembers(database, companyId, membersPerCompanyMax);
}

/** Who they are, for a list that names them by their ids. */
export function emailsOf(
  database: Queryable,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return selectEmails(database, [...new Set(personIds)]);
}

export async function chooseOwnLanguage(
  database: Database,
  personId: string,
  language: Language,
): Promise<void> {
  await updateLanguage(database, personId, language);
}

const pageSize = 200;

export async function* eachPerson(database: Queryable): AsyncGenerator<Person> {
  let after: string | undefined;
  while (true) {
    const page = await selectPeople(database, after, pageSize);
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}
