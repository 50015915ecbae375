import { createHash } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { networkOf } from "../kernel/network-of.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { countTry, forgetTries, hasDevice, insertDevice } from "./login-store.ts";
import { checkPassword } from "./passwords.ts";
import { membershipsOf, recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import { useSecondFactor } from "./second-factor.ts";
import { endSession, type FoundSession, openSession } from "./sessions.ts";
import { selectPersonByEmail } from "./store.ts";

/** Tries in a window. Those of one address are many people's; a browser that is known has its own, so that nobody can lock its owner out. */
const limits = {
  address: { tries: 60, seconds: 900 },
  person: { tries: 10, seconds: 900 },
  code: { tries: 10, seconds: 3_600 },
} as const;

export interface Browser {
  readonly address: string;
  /** What it says it is. */
  readonly device: string;
  /** The secret of its cookie. */
  readonly secret: string | undefined;
  /** The route, for the trail. */
  readonly via: string;
}

export type LoginAnswer =
  /** Whatever is wrong, and whoever exists: the same answer after the same time. */
  | { readonly kind: "refused" }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "session"; readonly token: string; readonly isOpen: boolean };

export async function signIn(
  database: Database,
  now: Date,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<LoginAnswer> {
  const person = await selectPersonByEmail(database, email);
  const subject = await subjectOf(database, person?.id, email, browser);
  const wait = await takeTries(database, [
    [`address:${networkOf(browser.address)}`, limits.address],
    [subject, limits.person],
  ]);
  if (wait !== undefined) return { kind: "wait", seconds: wait };
  const isRight = await checkPassword(password, person?.password ?? null);
  if (!isRight || person === undefined) return { kind: "refused" };
  const isOpen = !person.hasSecondFactor;
  const token = await database.transaction(async (tx) => {
    if (isOpen) await greet(tx, person, browser);
    await forgetTries(tx, subject);
    return open(tx, now, person, browser, isOpen);
  });
  return { kind: "session", token, isOpen };
}

/** The second step. The session with the password alone ends, and another begins. */
export async function confirmSignIn(
  database: Database,
  box: SecretBox,
  now: Date,
  { token, session }: { readonly token: string; readonly session: FoundSession },
  code: string,
  browser: Browser,
): Promise<LoginAnswer> {
  const { person } = session;
  const wait = await takeTries(database, [[codeSubject(person.id), limits.code]]);
  if (wait !== undefined) return { kind: "wait", seconds: wait };
  const opened = await database.transaction(async (tx) => {
    if (!(await useSecondFactor(tx, box, now, person, code, actorOf(person, browser))))
      return undefined;
    await forgetTries(tx, codeSubject(person.id));
    await greet(tx, person, browser);
    return open(tx, now, person, browser, true);
  });
  if (opened === undefined) return { kind: "refused" };
  await endSession(database, token);
  return { kind: "session", token: opened, isOpen: true };
}

/** How long somebody has to wait who has tried a code too often; the try is counted. Undefined: it may be looked at. */
export function countCodeTry(database: Database, personId: string): Promise<number | undefined> {
  return takeTries(database, [[codeSubject(personId), limits.code]]);
}

/** The same for the password of somebody who is signed in, or about to join. */
export function countPasswordTry(database: Database, email: string): Promise<number | undefined> {
  return takeTries(database, [[`person:${digestOf(email)}`, limits.person]]);
}

/** Opens the session of somebody who has just proved who it is, in the company that was joined or in the first one. */
export async function open(
  tx: Tx,
  now: Date,
  person: Pick<Person, "id">,
  { address, device }: Pick<Browser, "address" | "device">,
  isOpen: boolean,
  companyId?: string,
): Promise<string> {
  const [first] = await membershipsOf(tx, person.id);
  return openSession(tx, now, {
    personId: person.id,
    companyId: companyId ?? first?.companyId ?? null,
    isOpen,
    address,
    device,
  });
}

/** Notes a browser that was not used by this person before, where the person's companies read it. */
export async function greet(
  tx: Tx,
  person: Pick<Person, "id" | "email">,
  browser: Browser,
): Promise<void> {
  if (browser.secret === undefined) return;
  if (!(await insertDevice(tx, person.id, hashDevice(browser.secret)))) return;
  await recordEverywhere(tx, person, actorOf(person, browser), {
    action: "person.new_device",
    to: { device: browser.device.slice(0, 200) },
  });
}

export function actorOf({ id }: Pick<Person, "id">, { address, via }: Browser): ConsolePerson {
  return { personId: id, address, via };
}

async function subjectOf(
  database: Database,
  personId: string | undefined,
  email: string,
  { secret }: Browser,
): Promise<string> {
  const device = hashDevice(secret ?? "");
  const isKnown = personId !== undefined && (await hasDevice(database, personId, device));
  return isKnown
    ? `device:${digestOf(email)}:${device.toString("hex").slice(0, 32)}`
    : `person:${digestOf(email)}`;
}

/** Each is counted, also when another has refused already; the longest wait is told. */
async function takeTries(
  database: Database,
  counted: readonly (readonly [
    subject: string,
    limit: { readonly tries: number; readonly seconds: number },
  ])[],
): Promise<number | undefined> {
  const waits: number[] = [];
  for (const [subject, limit] of counted) {
    const { tries, seconds } = await countTry(database, subject, limit.seconds);
    if (tries > limit.tries) waits.push(seconds);
  }
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function codeSubject(personId: string): string {
  return `code:${personId}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function hashDevice(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
