import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Queryable, Tx, Writable } from "../database/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { needsSecondFactor } from "./roles.ts";
import {
  deleteSession,
  deleteSessionsOf,
  type FoundSession,
  insertSession,
  selectSession,
  selectSessions,
  touchSession,
  trimSessions,
  updateNotice,
  updateProof,
  updateSessionCompany,
} from "./sessions-store.ts";

export type { FoundSession, ListedSession } from "./sessions-store.ts";
export { selectSessions as listSessions };

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const addressMax = 64;
const deviceMax = 200;
/** Computers, phones and forgotten windows; whoever signs in once more ends the oldest. */
const sessionsPerPersonMax = 20;

/** Where a person signs in. */
export interface Surroundings {
  readonly address: string;
  /** What the browser says it is. */
  readonly device: string;
}

/** Opens a session and answers its token, of which only the hash is kept. */
export async function openSession(
  tx: Tx,
  now: Date,
  session: {
    readonly personId: string;
    readonly companyId: string | null;
    /** False while the second factor is missing. */
    readonly isOpen: boolean;
  } & Surroundings,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString("base64url");
  await trimSessions(tx, session.personId, sessionsPerPersonMax - 1);
  await insertSession(tx, {
    ...session,
    tokenHash: hashSessionToken(token),
    id: newUuid(now.getTime()),
    address: session.address.slice(0, addressMax),
    device: Array.from(session.device).slice(0, deviceMax).join(""),
  });
  return token;
}

/** The session of a cookie; undefined when there is none or it ended, on whichever node. */
export async function findSession(
  database: Queryable,
  token: string,
): Promise<FoundSession | undefined> {
  return tokenShape.test(token) ? selectSession(database, hashSessionToken(token)) : undefined;
}

/** Whoever has to have a second factor and has none yet: by the role in this session, or as an operator for whomever. */
export function lacksSecondFactor({
  person,
  role,
}: Pick<FoundSession, "person" | "role">): boolean {
  const mustHave =
    (person.isOperator && needsSecondFactor("operator")) ||
    (role !== null && needsSecondFactor(role));
  return mustHave && !person.hasSecondFactor;
}

/** Somebody is at work in it: it does not idle out, and what the page has said is not said again. */
export function keepSession(database: Database, token: string): Promise<void> {
  return touchSession(database, hashSessionToken(token));
}

/** Its person has just proved to be there. Part of the transaction that used the proof up. */
export function proveSession(tx: Tx, token: string): Promise<void> {
  return updateProof(tx, hashSessionToken(token));
}

/** What the next page of this session says, once. */
export function leaveNotice(database: Database, token: string, notice: string): Promise<void> {
  return updateNotice(database, hashSessionToken(token), notice);
}

/** Whoever asks has looked whether the person is a member there: each request looks again. */
export function changeCompany(
  database: Writable,
  token: string,
  companyId: string | null,
): Promise<void> {
  return updateSessionCompany(database, hashSessionToken(token), companyId);
}

export async function endSession(database: Database, token: string): Promise<void> {
  if (tokenShape.test(token)) await deleteSession(database, hashSessionToken(token));
}

/** Everywhere else the person has to sign in again. */
export function endOthers(tx: Tx, personId: string, keptToken: string): Promise<number> {
  return deleteSessionsOf(tx, personId, hashSessionToken(keptToken));
}

export function hashSessionToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * What every form of a session carries. It follows from the cookie, which no other site can read, and does not lead
 * back to it. On a page of a company it names the company too: whoever goes on to another one in a second tab must not do there
 * what the first tab shows.
 */
export function formTokenOf(sessionToken: string, companyId: string | null = null): string {
  const own = sign(sessionToken, "form");
  return companyId === null
    ? own
    : `${own}.${sign(sessionToken, companyId).slice(0, companyPartChars)}`;
}

/** Whether a form is one of this session's, whichever company its page was of. */
export function isFormToken(sessionToken: string, formToken: string): boolean {
  return isSame(formToken.split(".", 1)[0] ?? "", formTokenOf(sessionToken));
}

/** Whether it is also of this company; of none: of a page of the operator. */
export function isFormTokenFor(
  sessionToken: string,
  companyId: string | null,
  formToken: string,
): boolean {
  return isSame(formToken, formTokenOf(sessionToken, companyId));
}

/** 132 bits: nobody guesses it, and pages stay small. */
const companyPartChars = 22;

function sign(sessionToken: string, text: string): string {
  return createHmac("sha256", sessionToken).update(text).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
