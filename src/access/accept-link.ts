import type { Database, Tx } from "../database/database.ts";
import { choosePassword, setOperator } from "../staff/credentials.ts";
import { introducersOf } from "../staff/introducers.ts";
import { type Browser, greet, open } from "../staff/login.ts";
import {
  findOrMakePerson,
  findPersonByEmail,
  joinCompany,
  lockPerson,
  lockRole,
} from "../staff/people.ts";
import type { Person } from "../staff/person.ts";
import { recordCredentials } from "../staff/record-credentials.ts";
import { type CompanyRole, needsTwoPowers } from "../staff/roles.ts";
import { changeCompany, findSession } from "../staff/sessions.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForPerson } from "../trail/record.ts";
import { LinkRefused, WaitsAlready } from "./errors.ts";
import { findLink, hashLinkToken, inviterOf, type Link } from "./links.ts";
import { takeLink } from "./links-store.ts";
import { lockOwners } from "./owners.ts";
import { endOlderRequests, openRequest } from "./requests.ts";

/** How somebody comes with a link: with a password for an account that there is not yet, or signed in to the one there is. */
export type Visitor =
  | { readonly kind: "new" /** What was chosen, stretched. */; readonly password: string }
  | { readonly kind: "signedIn"; readonly sessionToken: string };

export interface Accepted {
  readonly person: Person;
  /** Of the session: a new one, or the one that the person came with. */
  readonly token: string;
  /** What a second owner or the operator has to confirm first; undefined: it is in force. */
  readonly requestId: string | undefined;
}

/**
 * Uses a link up: of two browsers with the same link one gets in. A password is chosen by a link that was made for it: a reset,
 * by whoever was reset, or an invitation, by somebody who had no account until this very moment. An account that is there already
 * accepts by whoever is signed in to it, and nothing of it changes. Undefined, for whatever reason: nothing was done.
 */
export async function acceptLink(
  database: Database,
  now: Date,
  token: string,
  visitor: Visitor,
  browser: Browser,
): Promise<Accepted | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const link = await findLink(tx, token);
      if (link === undefined) throw new LinkRefused();
      // Memberships are locked before people, here as everywhere.
      await refuseOrphan(tx, link);
      const person = await findVisitor(tx, now, link, visitor);
      if ((await takeLink(tx, hashLinkToken(token))) === undefined) throw new LinkRefused();
      const by = { personId: person.id, address: browser.address, via: browser.via };
      if (visitor.kind === "new") await choosePassword(tx, person.id, visitor.password);
      if (link.purpose === "operate") await setOperator(tx, person.id, true);
      const isMember = await join(tx, link, person, by);
      await recordForPerson(tx, person.id, by, {
        action: "person.joined",
        to: { link: link.purpose },
      });
      if (visitor.kind === "new") await recordCredentials(tx, person.id, by);
      const session = await enter(
        tx,
        now,
        person,
        visitor,
        browser,
        isMember ? link.companyId : null,
      );
      return { person, token: session, requestId: isMember ? undefined : link.id };
    });
  } catch (error) {
    if (error instanceof LinkRefused || error instanceof WaitsAlready) return undefined;
    throw error;
  }
}

/** A link is as good as whoever made it: one of somebody who is no owner any more leads nowhere. */
async function refuseOrphan(tx: Tx, link: Link): Promise<void> {
  const owners = link.companyId === null ? [] : await lockOwners(tx, link.companyId);
  const inviter = inviterOf(link);
  if (inviter !== undefined && !owners.includes(inviter)) throw new LinkRefused();
}

async function findVisitor(tx: Tx, now: Date, link: Link, visitor: Visitor): Promise<Person> {
  if (visitor.kind === "signedIn") {
    if (link.purpose === "reset") throw new LinkRefused();
    return lockSignedIn(tx, link, visitor.sessionToken);
  }
  if (link.purpose !== "reset") {
    const person = await findOrMakePerson(tx, now, link.email);
    if (!person.isNew) throw new LinkRefused();
    return person;
  }
  const known = await findPersonByEmail(tx, link.email);
  const person = known && (await lockPerson(tx, known.id));
  if (person === undefined || person.hasPassword) throw new LinkRefused();
  return person;
}

/** A reset ends sessions under the same lock: one that is still there afterwards is the person's own. */
async function lockSignedIn(tx: Tx, link: Link, sessionToken: string): Promise<Person> {
  const before = await findSession(tx, sessionToken);
  const person = before && (await lockPerson(tx, before.person.id));
  const session = person && (await findSession(tx, sessionToken));
  if (session?.isOpen !== true || person?.email !== link.email) throw new LinkRefused();
  return person;
}

/** False when it waits for a second owner or the operator. */
async function join(tx: Tx, link: Link, person: Person, by: ConsolePerson): Promise<boolean> {
  const { companyId, role } = link;
  if (companyId === null || role === null) return true;
  if ((await lockRole(tx, companyId, person.id)) !== undefined) throw new LinkRefused();
  // A newer invitation replaces an older one that still waits to be confirmed.
  await endOlderRequests(tx, companyId, person.id, "invited_anew", by);
  const inviter = inviterOf(link);
  if (inviter === undefined || !needsTwoPowers(role, undefined)) {
    await joinCompany(tx, person, { companyId, role }, by, await lineageOf(tx, companyId, inviter));
    return true;
  }
  await askToJoin(tx, { id: link.id, companyId, requestedBy: inviter }, person.id, role, by);
  return false;
}

function askToJoin(
  tx: Tx,
  request: { readonly id: string; readonly companyId: string; readonly requestedBy: string },
  personId: string,
  toRole: CompanyRole,
  by: ConsolePerson,
): Promise<void> {
  return openRequest(tx, request, { kind: "membership", personId, fromRole: null, toRole }, by);
}

/** Whoever lets somebody in, and those who had let them in. */
export async function lineageOf(
  tx: Tx,
  companyId: string,
  introducer: string | undefined,
): Promise<string[]> {
  return introducer === undefined
    ? []
    : [introducer, ...(await introducersOf(tx, companyId, introducer))];
}

/** Opens the session of somebody new; whoever is signed in goes on in the session there is. */
async function enter(
  tx: Tx,
  now: Date,
  person: Person,
  visitor: Visitor,
  browser: Browser,
  companyId: string | null,
): Promise<string> {
  if (visitor.kind === "signedIn") {
    if (companyId !== null) await changeCompany(tx, visitor.sessionToken, companyId);
    return visitor.sessionToken;
  }
  await greet(tx, person, browser);
  return open(tx, now, person, browser, true, companyId ?? undefined);
}
