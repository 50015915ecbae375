import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { networkOf } from "../kernel/network-of.ts";
import { countTry, forgetTries, hasDevice } from "./login-store.ts";

interface Limit {
  readonly tries: number;
  readonly seconds: number;
}

/** Tries in a window. Those of one address are many people's; a browser that is known has its own, so that nobody can lock its owner out. */
const limits = {
  address: { tries: 60, seconds: 900 },
  person: { tries: 10, seconds: 900 },
  code: { tries: 10, seconds: 3_600 },
  /** Challenges for passkeys that strangers at an address ask for, or one person. */
  strangersChallenges: { tries: 120, seconds: 900 },
  ownChallenges: { tries: 60, seconds: 900 },
} as const satisfies Readonly<Record<string, Limit>>;

/** Who tries, as the counts know it: a person, or a browser that this person has signed in with before. */
export async function subjectOf(
  database: Database,
  personId: string | undefined,
  name: string,
  secret: string | undefined,
): Promise<string> {
  const device = hashDevice(secret ?? "");
  const isKnown = personId !== undefined && (await hasDevice(database, personId, device));
  return isKnown
    ? `device:${digestOf(name)}:${device.toString("hex").slice(0, 32)}`
    : `person:${digestOf(name)}`;
}

/** Counts a try to get in, and answers how long to wait. Undefined: it may be looked at. */
export function countSignIn(
  database: Database,
  address: string,
  subject: string,
): Promise<number | undefined> {
  return takeTries(database, [
    [`address:${networkOf(address)}`, limits.address],
    [subject, limits.person],
  ]);
}

/** The same for a code of the second factor, or what stands in for one. */
export function countCodeTry(database: Database, personId: string): Promise<number | undefined> {
  return takeTries(database, [[codeSubject(personId), limits.code]]);
}

/** Of whoever has just proved to be there. */
export async function forgetCodeTries(database: Database, personId: string): Promise<void> {
  await database.transaction((tx) => forgetTries(tx, codeSubject(personId)));
}

/** The same for the password of somebody who is signed in, or about to join. */
export function countPasswordTry(database: Database, email: string): Promise<number | undefined> {
  return takeTries(database, [[`person:${digestOf(email)}`, limits.person]]);
}

/** The same for a challenge that somebody asks for who is signed in, at least with the password. */
export function countOwnChallenge(
  database: Database,
  personId: string,
): Promise<number | undefined> {
  return takeTries(database, [[`challenge:${personId}`, limits.ownChallenges]]);
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

export function codeSubject(personId: string): string {
  return `code:${personId}`;
}

export function hashDevice(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
