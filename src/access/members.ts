import type { Database, Tx } from "../database/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { endSessions, setOperator } from "../staff/credentials.ts";
import { NotAMember, UnknownPerson } from "../staff/errors.ts";
import { findPersonByEmail, lockPerson, lockRole, trailedIntroducers } from "../staff/people.ts";
import type { Person } from "../staff/person.ts";
import { type CompanyRole, mayMore, needsTwoPowers } from "../staff/roles.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany, recordForPerson } from "../trail/record.ts";
import { endAccess } from "./end-access.ts";
import { deleteLinksTo } from "./links-store.ts";
import { deleteMembership, updateRole } from "./memberships-store.ts";
import { lockOwners, lockOwnersFor } from "./owners.ts";
import { endOlderRequests, openRequest } from "./requests.ts";

/** lastOwner: a company is left with somebody who can let others in. unknown: nobody there has that id. */
export type MemberRefusal = "lastOwner" | "unknown";

/** Ends a membership and all that the person has under way there. Undefined when it is done. Throws NotPermitted. */
export function removeMember(
  database: Database,
  companyId: string,
  personId: string,
  by: ConsolePerson,
): Promise<MemberRefusal | undefined> {
  return database.transaction(async (tx) => {
    const owners = await lockOwnersFor(tx, companyId, by);
    const person = await lockPerson(tx, personId);
    if (owners.length === 1 && owners[0] === personId) return "lastOwner";
    const role = person && (await deleteMembership(tx, companyId, personId));
    if (person === undefined || role === undefined) return "unknown";
    await recordForCompany(tx, companyId, by, {
      action: "member.removed",
      subject: person.email,
      from: { role },
    });
    await endAccess(tx, person, companyId, "member_removed", by);
    return undefined;
  });
}

/**
 * Gives a member another role. What takes something away holds at once, and ends what the person has under way there; what gives
 * something waits for a second owner or the operator, and the old role holds meanwhile. Throws NotPermitted, WaitsAlready.
 */
export function changeRole(
  database: Database,
  now: Date,
  {
    companyId,
    personId,
    role,
  }: {
    readonly companyId: string;
    readonly personId: string;
    readonly role: CompanyRole;
  },
  by: ConsolePerson,
): Promise<MemberRefusal | "done" | { readonly requestId: string }> {
  return database.transaction(async (tx) => {
    const owners = await lockOwnersFor(tx, companyId, by);
    const person = await lockPerson(tx, personId);
    const before = person && (await lockRole(tx, companyId, personId));
    if (person === undefined || before === undefined) return "unknown";
    if (role !== "owner" && owners.length === 1 && owners[0] === personId) return "lastOwner";
    if (role === before) return "done";
    if (needsTwoPowers(role, before)) {
      const requestId = newUuid(now.getTime());
      const request = { id: requestId, companyId, requestedBy: by.personId };
      const wanted = { kind: "role", personId, fromRole: before, toRole: role } as const;
      await openRequest(tx, request, wanted, by);
      return { requestId };
    }
    await putRole(tx, companyId, person, before, role, by, []);
    return "done";
  });
}

/** Gives a member another role, at once. Sessions end; and all that is under way, where something is taken away. */
export async function putRole(
  tx: Tx,
  companyId: string,
  person: Pick<Person, "id" | "email">,
  before: CompanyRole,
  role: CompanyRole,
  by: Operator | ConsolePerson,
  introducedBy: readonly string[],
): Promise<void> {
  await updateRole(tx, companyId, person.id, role, introducedBy);
  await recordForCompany(tx, companyId, by, {
    action: "member.role_changed",
    subject: person.email,
    from: { role: before },
    to: { role, ...trailedIntroducers(introducedBy) },
  });
  if (mayMore(before, role)) await endAccess(tx, person, companyId, "role_changed", by);
  else {
    await endOlderRequests(tx, companyId, person.id, "role_changed", by);
    await endSessions(tx, person.id);
  }
}

/** By the operator, at once. Throws UnknownPerson, NotAMember. */
export function changeRoleByOperator(
  database: Database,
  email: string,
  companyId: string,
  role: CompanyRole,
  by: Operator,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockOwners(tx, companyId);
    const person = await lockByEmail(tx, email);
    const before = await lockRole(tx, companyId, person.id);
    if (before === undefined) throw new NotAMember(email);
    if (before !== role) await putRole(tx, companyId, person, before, role, by, []);
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
    if (companyId !== undefined) await lockOwners(tx, companyId);
    const person = await lockByEmail(tx, email);
    if (companyId === undefined) {
      if (!person.isOperator) throw new NotAMember(email);
      await setOperator(tx, person.id, false);
      await deleteLinksTo(tx, email, null);
      await endSessions(tx, person.id);
      await recordForPerson(tx, person.id, by, { action: "person.removed" });
      return;
    }
    const role = await deleteMembership(tx, companyId, person.id);
    if (role === undefined) throw new NotAMember(email);
    const entry = { action: "member.removed", subject: email, from: { role } } as const;
    await recordForCompany(tx, companyId, by, entry);
    await endAccess(tx, person, companyId, "member_removed", by);
  });
}

async function lockByEmail(tx: Tx, email: string): Promise<Person> {
  const known = await findPersonByEmail(tx, email);
  const person = known && (await lockPerson(tx, known.id));
  if (person === undefined) throw new UnknownPerson(email);
  return person;
}
