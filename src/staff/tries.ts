import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { networkOf } from "../kernel/network-of.ts";
import { countTry, forgetTries, hasDevice } from "./login-store.ts";

interface Limit {
  readonly tries: number;
  readonly seconds: number;
}

/**
 * Tries in a window. What strangers try is counted apart from what a known browser, an open session or the holder of a link
 * tries, so that no stranger can lock any of these out.
 */
const limits = {
  address: { tries: 60, seconds: 900 },
  person: { tries: 10, seconds: 900 },
  code: { tries: 10, seconds: 3_600 },
  /** Challenges for passkeys that strangers at an address ask for, or one person. */
  strangersChallenges: { tries: 120, seconds: 900 },
  ownChallenges: { tries: 60, seconds: 900 },
} as const satisfies Readonly<Record<string, Limit>>;

/** Who tries, as the counts know it. */
export interface Subject {
  readonly key: string;
  /** A browser that this person has signed in with before. */
  readonly isKnown: boolean;
}

/** Whoever signs in: a person, or a browser that this person has signed in with before. */
export async function subjectOf(
  database: Database,
  personId: string | undefined,
  name: string,
  secret: string | undefined,
): Promise<Subject> {
  const device = hashDevice(secret ?? "");
  const isKnown = personId !== undefined && (await hasDevice(database, personId, device));
  const key = isKnown ? `device:${digestOf(name)}:${shortOf(device)}` : `person:${digestOf(name)}`;
  return { key, isKnown };
}

/** Whoever gives a code after the password: counted apart from every session that is open already. */
export async function codesAtTheDoor(
  database: Database,
  personId: string,
  secret: string | undefined,
): Promise<string> {
  const device = hashDevice(secret ?? "");
  return (await hasDevice(database, personId, device))
    ? `code:device:${personId}:${shortOf(device)}`
    : `code:person:${personId}`;
}

/** Whoever gives a code in an open session. */
export function codesInSession(sessionId: string): string {
  return `code:session:${sessionId}`;
}

/** Counts a try to get in, and answers how long to wait. Undefined: it may be looked at. */
export function countSignIn(
  database: Database,
  address: string,
  { key }: Subject,
): Promise<number | undefined> {
  return takeTries(database, [
    [`address:${networkOf(address)}`, limits.address],
    [key, limits.person],
  ]);
}

/** The same for a code of the second factor, or what stands in for one. */
export function countCodeTry(database: Database, codes: string): Promise<number | undefined> {
  return takeTries(database, [[codes, limits.code]]);
}

/** Of whoever has just proved to be there. */
export async function forgetCodeTries(database: Database, codes: string): Promise<void> {
  await database.transaction((tx) => forgetTries(tx, codes));
}

/** The same for the password of somebody who is signed in. */
export function countSessionPasswordTry(
  database: Database,
  sessionId: string,
): Promise<number | undefined> {
  return takeTries(database, [[`password:session:${sessionId}`, limits.person]]);
}

/**
 * The same for each time the form of a link is sent, whichever password is in it. All links from one place to one address count
 * together: whoever makes a new one gets no new tries.
 */
export function countLinkTry(
  database: Database,
  { companyId, email }: { readonly companyId: string | null; readonly email: string },
): Promise<number | undefined> {
  const subject = digestOf(`${companyId ?? "operator"} ${email}`);
  return takeTries(database, [[`password:link:${subject}`, limits.person]]);
}

/** The same for a challenge that somebody asks for who gives codes: at the door, or in a session. */
export function countOwnChallenge(database: Database, codes: string): Promise<number | undefined> {
  return takeTries(database, [[`challenge:${codes}`, limits.ownChallenges]]);
}

/** The same for whoever is about to sign in. */
export function countStrangersChallenge(
  database: Database,
  address: string,
): Promise<number | undefined> {
  return takeTries(database, [[`challenge:${networkOf(address)}`, limits.strangersChallenges]]);
}

/** Each is counted, also when another has refused already; the longest wait is told. */
async function takeTries(
  database: Database,
  counted: readonly (readonly [subject: string, limit: Limit])[],
): Promise<number | undefined> {
  const waits: number[] = [];
  for (const [subject, limit] of counted) {
    const { tries, seconds } = await countTry(database, subject, limit.seconds);
    if (tries > limit.tries) waits.push(seconds);
  }
  return waits.length === 0 ? undefined : Math.max(...waits);
}

export function hashDevice(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function shortOf(device: Buffer): string {
  return device.toString("hex").slice(0, 32);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
