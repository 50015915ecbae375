import { createHash, randomBytes } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { newUuid } from "../kernel/ids.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany, recordForPerson } from "../trail/record.ts";
import { TooManyMembers, UnknownPerson } from "./errors.ts";
import {
  deleteInvitation,
  deleteLinksTo,
  insertLink,
  type Link,
  selectInvitations,
  selectLink,
  takeLink,
} from "./links-store.ts";
import { type Browser, greet, open } from "./login.ts";
import { findOrMakePerson, joinCompany, recordEverywhere } from "./people.ts";
import { membersPerCompanyMax, type Person } from "./person.ts";
import type { CompanyRole } from "./roles.ts";
import { clearSecondFactor } from "./second-factor.ts";
import { deleteSessionsOf } from "./sessions-store.ts";
import { lockPerson, selectPersonByEmail, updateOperator, updatePassword } from "./store.ts";

export type { Link } from "./links-store.ts";

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const invitationSeconds = 7 * 86_400;
const resetSeconds = 86_400;

/** A link as it is handed over: shown once, kept as a hash. */
export interface IssuedLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Asks somebody to work for a company with a role, or (without a company) as an operator. An earlier link ends. */
export async function invite(
  database: Database,
  now: Date,
  request: { readonly email: string } & (
    | { readonly companyId: string; readonly role: CompanyRole }
    | { readonly companyId: null; readonly role: "operator" }
  ),
  by: Operator | ConsolePerson,
): Promise<IssuedLink> {
  const { email, companyId } = request;
  const role = request.role === "operator" ? null : request.role;
  return database.transaction(async (tx) => {
    await deleteLinksTo(tx, email, companyId);
    if (companyId !== null) {
      const waiting = await selectInvitations(tx, companyId, membersPerCompanyMax);
      if (waiting.length >= membersPerCompanyMax) throw new TooManyMembers();
      await recordForCompany(tx, companyId, by, {
        action: "member.invited",
        subject: email,
        to: { role },
      });
    }
    const purpose = companyId === null ? "operate" : "join";
    return issue(tx, now, { purpose, email, companyId, role }, by, invitationSeconds);
  });
}

/** For somebody who has lost the second factor: nothing that they knew or had is good any more but this link. */
export async function resetPerson(
  database: Database,
  now: Date,
  email: string,
  by: Operator,
): Promise<IssuedLink> {
  return database.transaction(async (tx) => {
    const known = await selectPersonByEmail(tx, email);
    const person = known && (await lockPerson(tx, known.id));
    if (person === undefined) throw new UnknownPerson(email);
    await updatePassword(tx, person.id, null);
    await clearSecondFactor(tx, person.id);
    await deleteSessionsOf(tx, person.id, undefined);
    await deleteLinksTo(tx, email, null);
    await recordEverywhere(tx, person, by, { action: "person.reset" });
    const link = { purpose: "reset", email, companyId: null, role: null } as const;
    return issue(tx, now, link, by, resetSeconds);
  });
}

/** What a link is for, while it is good. */
export async function findLink(database: Queryable, token: string): Promise<Link | undefined> {
  return tokenShape.test(token) ? selectLink(database, hashOf(token)) : undefined;
}

/**
 * Uses a link up and opens a session: of two browsers with the same link one gets in. A person who has no password yet
 * gets the one that was chosen. Undefined: the link was used, withdrawn, or has expired.
 */
export async function acceptLink(
  database: Database,
  now: Date,
  token: string,
  /** What was chosen, stretched; undefined: the person has one, and has just proved to know it. */
  password: string | undefined,
  browser: Browser,
): Promise<{ readonly token: string; readonly person: Person } | undefined> {
  return database.transaction(async (tx) => {
    const link = await findLink(tx, token);
    if (link === undefined) return undefined;
    const person = await findOrMakePerson(tx, now, link.email);
    // Whoever has a password keeps it: a link that somebody else invites with must not change it.
    if (person.hasPassword !== (password === undefined)) return undefined;
    if ((await takeLink(tx, hashOf(token))) === undefined) return undefined;
    if (password !== undefined) await updatePassword(tx, person.id, password);
    const by = { personId: person.id, address: browser.address, via: browser.via };
    if (link.companyId !== null && link.role !== null)
      await joinCompany(tx, person, { companyId: link.companyId, role: link.role }, by);
    if (link.purpose === "operate") await updateOperator(tx, person.id, true);
    await recordForPerson(tx, person.id, by, {
      action: "person.joined",
      to: { link: link.purpose },
    });
    // A role may have become another one: whoever is signed in somewhere signs in again.
    await deleteSessionsOf(tx, person.id, undefined);
    await greet(tx, person, browser);
    const isOpen = !person.hasSecondFactor;
    const session = await open(tx, now, person, browser, isOpen, link.companyId ?? undefined);
    return { token: session, person };
  });
}

export function invitationsOf(database: Queryable, companyId: string): Promise<Link[]> {
  return selectInvitations(database, companyId, membersPerCompanyMax);
}

/** False when there is no such invitation of this company, or it was used. */
export function withdrawInvitation(
  database: Database,
  companyId: string,
  linkId: string,
  by: ConsolePerson,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const email = await deleteInvitation(tx, companyId, linkId);
    if (email === undefined) return false;
    await recordForCompany(tx, companyId, by, {
      action: "member.invitation_withdrawn",
      subject: email,
    });
    return true;
  });
}

async function issue(
  tx: Tx,
  now: Date,
  link: Pick<Link, "purpose" | "email" | "companyId" | "role">,
  by: Operator | ConsolePerson,
  seconds: number,
): Promise<IssuedLink> {
  const token = randomBytes(tokenBytes).toString("base64url");
  const invitedBy = "operator" in by ? by.operator : by.personId;
  const id = newUuid(now.getTime());
  const expiresAt = await insertLink(tx, hashOf(token), { ...link, id, invitedBy, seconds });
  return { token, expiresAt };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
