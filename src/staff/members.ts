import type { Database } from "../database/database.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany, recordForPerson } from "../trail/record.ts";
import { NotAMember, UnknownPerson } from "./errors.ts";
import { hashPassword } from "./passwords.ts";
import { recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import type { CompanyRole } from "./roles.ts";
import { hashSessionToken } from "./sessions.ts";
import { deleteSessionById, deleteSessionsOf } from "./sessions-store.ts";
import {
  deleteMembership,
  lockOwners,
  lockPerson,
  putMembership,
  selectPersonByEmail,
  updateOperator,
  updatePassword,
} from "./store.ts";

/** lastOwner: a company is left with somebody who can let others in. unknown: nobody there has that id. */
export type MemberRefusal = "lastOwner" | "unknown";

/** Ends a membership and everything the person is signed in with. Undefined when it is done. */
export function removeMember(
  database: Database,
  companyId: string,
  personId: string,
  by: ConsolePerson,
): Promise<MemberRefusal | undefined> {
  return database.transaction(async (tx) => {
    const owners = await lockOwners(tx, companyId);
    const person = await lockPerson(tx, personId);
    if (owners.length === 1 && owners[0] === personId) return "lastOwner";
    const role = person && (await deleteMembership(tx, companyId, personId));
    if (person === undefined || role === undefined) return "unknown";
    await deleteSessionsOf(tx, personId, undefined);
    await recordForCompany(tx, companyId, by, {
      action: "member.removed",
      subject: person.email,
      from: { role },
    });
    return undefined;
  });
}

/** Gives a member another role; whoever is signed in somewhere signs in again. */
export function changeRole(
  database: Database,
  companyId: string,
  personId: string,
  role: CompanyRole,
  by: ConsolePerson,
): Promise<MemberRefusal | undefined> {
  return database.transaction(async (tx) => {
    const owners = await lockOwners(tx, companyId);
    const person = await lockPerson(tx, personId);
    if (role !== "owner" && owners.length === 1 && owners[0] === personId) return "lastOwner";
    // Taken away and given again: a stranger's id changes nothing.
    const before = person && (await deleteMembership(tx, companyId, personId));
    if (person === undefined || before === undefined) return "unknown";
    await putMembership(tx, companyId, personId, role);
    if (before === role) return undefined;
    await deleteSessionsOf(tx, personId, undefined);
    await recordForCompany(tx, companyId, by, {
      action: "member.role_changed",
      subject: person.email,
      from: { role: before },
      to: { role },
    });
    return undefined;
  });
}

/** By the operator, who may also take the last owner, and other operators. Throws UnknownPerson, NotAMember. */
export function removeByOperator(
  database: Database,
  email: string,
  companyId: string | undefined,
  by: Operator,
): Promise<void> {
  return database.transaction(async (tx) => {
    const known = await selectPersonByEmail(tx, email);
    const person = known && (await lockPerson(tx, known.id));
    if (person === undefined) throw new UnknownPerson(email);
    if (companyId === undefined) {
      if (!person.isOperator) throw new NotAMember(email);
      await updateOperator(tx, person.id, false);
      await recordForPerson(tx, person.id, by, { action: "person.removed" });
    } else {
      const role = await deleteMembership(tx, companyId, person.id);
      if (role === undefined) throw new NotAMember(email);
      const entry = { action: "member.removed", subject: email, from: { role } } as const;
      await recordForCompany(tx, companyId, by, entry);
    }
    await deleteSessionsOf(tx, person.id, undefined);
  });
}

/** Ends one of a person's own sessions, on every node at once; false when it has no such session. */
export function endOwnSession(
  database: Database,
  person: Person,
  sessionId: string,
  by: ConsolePerson,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await deleteSessionById(tx, person.id, sessionId))) return false;
    await recordEverywhere(tx, person, by, { action: "person.sessions_ended", to: { count: 1 } });
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

/** A new password ends every other session of its person. */
export async function changePassword(
  database: Database,
  person: Person,
  password: string,
  keptToken: string,
  by: ConsolePerson,
): Promise<void> {
  const stretched = await hashPassword(password);
  await database.transaction(async (tx) => {
    await updatePassword(tx, person.id, stretched);
    await deleteSessionsOf(tx, person.id, hashSessionToken(keptToken));
    await recordEverywhere(tx, person, by, { action: "person.password_changed" });
  });
}
