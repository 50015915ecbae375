import type { Database, Tx } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { askedAtTheDoor, askedInSession } from "./challenges.ts";
import { forgetTries, insertDevice } from "./login-store.ts";
import type { Assertion } from "./passkey.ts";
import type { PasskeySite } from "./passkey-site.ts";
import { checkSigned, findCredential, recordCopied, useAssertion } from "./passkeys.ts";
import { checkPassword } from "./passwords.ts";
import { membershipsOf, recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import { type Proof, useProof } from "./proofs.ts";
import { endSession, type FoundSession, openSession } from "./sessions.ts";
import { selectPersonByEmail } from "./store.ts";
import { codeSubject, countCodeTry, countSignIn, hashDevice, subjectOf } from "./tries.ts";

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
  /** A passkey that seems to be there twice. */
  | { readonly kind: "copied" }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "session"; readonly token: string; readonly isOpen: boolean };

export async function signIn(
  database: Database,
  now: Date,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<LoginAnswer> {
  const person = await selectPersonByEmail(database, email);
  const subject = await subjectOf(database, person?.id, email, browser.secret);
  const wait = await countSignIn(database, browser.address, subject);
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

/**
 * With a passkey alone, which knows whose it is and has asked who holds it: that is both factors. An unknown one is counted,
 * looked at and refused like one that is known.
 */
export async function signInByPasskey(
  database: Database,
  site: PasskeySite,
  now: Date,
  assertion: Assertion,
  browser: Browser,
): Promise<LoginAnswer> {
  const known = await findCredential(database, assertion);
  const name = known?.email ?? assertion.credentialId;
  const subject = await subjectOf(database, known?.personId, name, browser.secret);
  const wait = await countSignIn(database, browser.address, subject);
  if (wait !== undefined) return { kind: "wait", seconds: wait };
  const checked = await checkSigned(site, assertion, known);
  const { secret } = browser;
  // A passkey that was asked for by no name says whose it is.
  if (checked === undefined || secret === undefined || assertion.userHandle === "")
    return { kind: "refused" };
  const { person } = checked;
  return database.transaction(async (tx): Promise<LoginAnswer> => {
    const answer = await useAssertion(tx, checked, askedAtTheDoor(secret));
    if (answer === "copied") await recordCopied(tx, checked, actorOf(person, browser));
    if (answer !== "good") return { kind: answer };
    await greet(tx, person, browser);
    await forgetTries(tx, subject);
    const token = await open(tx, now, person, browser, true);
    return { kind: "session", token, isOpen: true };
  });
}

/** The second step. The session with the password alone ends, and another begins. */
export async function confirmSignIn(
  database: Database,
  box: SecretBox,
  now: Date,
  { token, session }: { readonly token: string; readonly session: FoundSession },
  /** Asked for once the try is counted. */
  readProof: () => Promise<Proof>,
  browser: Browser,
): Promise<LoginAnswer> {
  const { person } = session;
  const wait = await countCodeTry(database, person.id);
  if (wait !== undefined) return { kind: "wait", seconds: wait };
  const proof = await readProof();
  const asked = askedInSession("second_step", person.id, token);
  const by = actorOf(person, browser);
  const answer = await database.transaction(async (tx): Promise<LoginAnswer> => {
    const proved = await useProof(tx, box, now, person, proof, asked, by);
    if (proved !== "good") return { kind: proved };
    await forgetTries(tx, codeSubject(person.id));
    await greet(tx, person, browser);
    return { kind: "session", token: await open(tx, now, person, browser, true), isOpen: true };
  });
  if (answer.kind === "session") await endSession(database, token);
  return answer;
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
