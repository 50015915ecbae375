import { createHash, randomBytes } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { newUuid, parseUuid } from "../kernel/ids.ts";
import { forgetCredentials } from "../staff/credentials.ts";
import { TooManyMembers, UnknownPerson } from "../staff/errors.ts";
import {
  emailsOf,
  findPersonByEmail,
  lockPerson,
  lockRole,
  membershipsOf,
  membersOf,
  recordEverywhere,
} from "../staff/people.ts";
import { membersPerCompanyMax } from "../staff/person.ts";
import { recordCredentials } from "../staff/record-credentials.ts";
import type { CompanyRole } from "../staff/roles.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany, recordForInstallation } from "../trail/record.ts";
import { endAccess } from "./end-access.ts";
import { MemberAlready, OwnInvitation } from "./errors.ts";
import {
  deleteInvitation,
  deleteLinksTo,
  insertLink,
  type Link,
  selectInvitations,
  selectLink,
} from "./links-store.ts";
import { lockOwners, lockOwnersFor } from "./owners.ts";

export type { Link } from "./links-store.ts";

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const invitationSeconds = 7 * 86_400;
const resetSeconds = 86_400;

/** A link as it is handed over: shown once, kept as a hash. */
export interface IssuedLink {
  /** By which it is withdrawn, and by which a membership is confirmed that comes of it. */
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Asks somebody to work for a company with a role, or (without a company) as an operator. An earlier link ends. Throws
 * OwnInvitation, MemberAlready, NotPermitted.
 */
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
    if ("personId" in by && companyId !== null) {
      await lockOwnersFor(tx, companyId, by);
      const own = (await emailsOf(tx, [by.personId])).get(by.personId);
      if (own === email) throw new OwnInvitation();
    }
    await deleteLinksTo(tx, email, companyId);
    if (companyId !== null) {
      const members = await membersOf(tx, companyId);
      if (members.some((member) => member.email === email)) throw new MemberAlready(email);
      const waiting = await selectInvitations(tx, companyId, membersPerCompanyMax);
      if (waiting.length >= membersPerCompanyMax) throw new TooManyMembers();
    }
    const token = newLinkToken();
    const { linkHash } = trailedLink(token);
    if (companyId !== null)
      await recordForCompany(tx, companyId, by, {
        action: "member.invited",
        subject: email,
        to: { role, linkHash },
      });
    else if ("operator" in by)
      await recordForInstallation(tx, by, {
        action: "operator.invited",
        subject: email,
        to: { linkHash },
      });
    const purpose = companyId === null ? "operate" : "join";
    return issue(tx, now, token, { purpose, email, companyId, role }, by, invitationSeconds);
  });
}

/**
 * For somebody who has lost the second factor: nothing that they knew or had, and nothing that anybody sent them, is good any
 * more but this link.
 */
export async function resetPerson(
  database: Database,
  now: Date,
  email: string,
  by: Operator,
): Promise<IssuedLink> {
  return database.transaction(async (tx) => {
    const known = await findPersonByEmail(tx, email);
    // Memberships are locked before people, here as everywhere.
    for (const { companyId } of known === undefined ? [] : await membershipsOf(tx, known.id)) {
      await lockOwners(tx, companyId);
      // What the person is about to do there is done before, and ends with the rest, or is not done.
      if (known !== undefined) await lockRole(tx, companyId, known.id);
    }
    const person = known && (await lockPerson(tx, known.id));
    if (person === undefined) throw new UnknownPerson(email);
    await forgetCredentials(tx, person.id);
    await endAccess(tx, person, undefined, "access_reset", by);
    const token = newLinkToken();
    await recordEverywhere(tx, person, by, { action: "person.reset", to: trailedLink(token) });
    await recordCredentials(tx, person.id, by);
    const link = { purpose: "reset", email, companyId: null, role: null } as const;
    return issue(tx, now, token, link, by, resetSeconds);
  });
}

/** What a link is for, while it is good. */
export async function findLink(database: Queryable, token: string): Promise<Link | undefined> {
  return tokenShape.test(token) ? selectLink(database, hashLinkToken(token)) : undefined;
}

/** The person who made a link in the console; undefined: the operator did. */
export function inviterOf({ invitedBy }: Link): string | undefined {
  return parseUuid(invitedBy);
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
    await lockOwnersFor(tx, companyId, by);
    const email = await deleteInvitation(tx, companyId, linkId);
    if (email === undefined) return false;
    await recordForCompany(tx, companyId, by, {
      action: "member.invitation_withdrawn",
      subject: email,
    });
    return true;
  });
}

export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function newLinkToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** What the trail says of a link: the hash by which it is found, so that no other can be put in its place. */
function trailedLink(token: string): { readonly linkHash: string } {
  return { linkHash: hashLinkToken(token).toString("hex") };
}

async function issue(
  tx: Tx,
  now: Date,
  token: string,
  link: Pick<Link, "purpose" | "email" | "companyId" | "role">,
  by: Operator | ConsolePerson,
  seconds: number,
): Promise<IssuedLink> {
  const invitedBy = "operator" in by ? by.operator : by.personId;
  const id = newUuid(now.getTime());
  const expiresAt = await insertLink(tx, hashLinkToken(token), { ...link, id, invitedBy, seconds });
  return { id, token, expiresAt };
}
