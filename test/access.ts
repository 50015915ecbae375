import { type Accepted, acceptLink, type Visitor } from "../src/access/accept-link.ts";
import { confirmRequest } from "../src/access/decide-requests.ts";
import { invite } from "../src/access/links.ts";
import type { Database } from "../src/database/database.ts";
import { findPersonByEmail } from "../src/staff/people.ts";
import type { CompanyRole } from "../src/staff/roles.ts";
import { openSession } from "../src/staff/sessions.ts";
import { type ConsolePerson, operator } from "../src/trail/actor.ts";
import { readTrail } from "../src/trail/read-trail.ts";
import { recordForPerson } from "../src/trail/record.ts";
import { somebody } from "./desk.ts";

const byOperator = operator("a test");

/** A browser of somebody with a link. */
export const browser = {
  address: "192.0.2.7",
  device: "Firefox",
  secret: "b".repeat(43),
  via: "POST /console/join/:token",
};

/** As somebody new, with a password; nobody stretches it here. */
export const asNew: Visitor = { kind: "new", password: "scrypt$of$a$test" };

export function accept(
  database: Database,
  token: string,
  visitor: Visitor = asNew,
): Promise<Accepted | undefined> {
  return acceptLink(database, new Date(), token, visitor, browser);
}

/** Somebody with this address joins by the operator's invitation: in force at once, and let in by nobody else. */
export async function joinByOperator(
  database: Database,
  companyId: string,
  email: string,
  role: CompanyRole = "owner",
): Promise<ConsolePerson> {
  const { token } = await invite(database, new Date(), { email, companyId, role }, byOperator);
  const known = await findPersonByEmail(database, email);
  const visitor =
    known === undefined ? asNew : await signedIn(database, somebody(known.id), companyId);
  const accepted = await accept(database, token, visitor);
  if (accepted === undefined) throw new Error("the link is good");
  return somebody(accepted.person.id);
}

/** Somebody with this address joins by an owner's invitation; answers the request that waits, if one does. */
export async function joinBy(
  database: Database,
  owner: ConsolePerson,
  companyId: string,
  email: string,
  role: CompanyRole,
): Promise<{ readonly who: ConsolePerson; readonly requestId: string | undefined }> {
  const { token } = await invite(database, new Date(), { email, companyId, role }, owner);
  const accepted = await accept(database, token);
  if (accepted === undefined) throw new Error("the link is good");
  return { who: somebody(accepted.person.id), requestId: accepted.requestId };
}

/** The same, and the operator confirms it. */
export async function joinConfirmed(
  database: Database,
  owner: ConsolePerson,
  companyId: string,
  email: string,
  role: CompanyRole,
): Promise<ConsolePerson> {
  const { who, requestId } = await joinBy(database, owner, companyId, email, role);
  if (requestId === undefined) throw new Error("it waits");
  await confirmRequest(database, { requestId, companyId: undefined }, byOperator);
  return who;
}

/** A session of somebody, with both factors. */
export async function signedIn(
  database: Database,
  { personId }: ConsolePerson,
  companyId: string | null = null,
): Promise<{ readonly kind: "signedIn"; readonly sessionToken: string }> {
  const place = { address: "192.0.2.7", device: "Firefox" };
  const by = { personId, address: place.address, via: "a test" };
  const sessionToken = await database.transaction(async (tx) => {
    await recordForPerson(tx, personId, by, { action: "person.signed_in", to: { factor: "code" } });
    return openSession(tx, new Date(), { personId, companyId, isOpen: true, ...place });
  });
  return { kind: "signedIn", sessionToken };
}

/** What the trail says was done for a company, newest first. */
export async function actionsOf(database: Database, companyId: string): Promise<string[]> {
  const query = { companyId, since: undefined, before: undefined, limit: 100 };
  return (await readTrail(database, query)).map(({ action }) => action);
}
