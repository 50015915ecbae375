import type { Database, Tx } from "../database/database.ts";
import { networkOf } from "../kernel/network-of.ts";
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
import type { Factor } from "./refusals.ts";
import { endSession, type FoundSession, findSession, openSession } from "./sessions.ts";
import { lockPerson, selectPerson, selectPersonByEmail } from "./store.ts";
import { codesAtTheDoor, countCodeTry, countSignIn, hashDevice, subjectOf } from "./tries.ts";

export interface Browser {
  readonly address: string;
  /** What it says it is. */
  readonly device: string;
  /** The secret of its cookie. */
  readonly secret: string | undefined;
  /** The route, for the trail. */
  readonly via: string;
  /** Aborted when it hangs up. */
  readonly hungUp?: AbortSignal | undefined;
}

export type LoginAnswer = (
  | {
      /**
       * Whatever is wrong, and whoever exists: the same answer after the same time.
       * copied: a passkey that seems to be there twice.
       */
      readonly kind: "refused" | "copied";
    }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "session"; readonly token: string; readonly isOpen: boolean }
) & {
  /** Whom it was about, for log and trail; never for the page. Undefined: somebody who does not exist. */
  readonly person: Pick<Person, "id" | "email"> | undefined;
};

export async function signIn(
  database: Database,
  now: Date,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<LoginAnswer> {
  const person = await selectPersonByEmail(database, email);
  const subject = await subjectOf(database, person?.id, email, browser.secret);
  const wait = await countSignIn(database, browser.address, subject);
  if (wait !== undefined) return { kind: "wait", seconds: wait, person };
  const isRight = await checkPassword(password, person?.password ?? null, {
    isKnown: subject.isKnown,
    lane: subject.isKnown && person !== undefined ? person.id : networkOf(browser.address),
    hungUp: browser.hungUp,
  });
  if (!isRight || person === undefined) return { kind: "refused", person };
  const isOpen = !person.hasSecondFactor;
  const token = await database.transaction(async (tx) => {
    if (!(await isStillSo(tx, person))) return undefined;
    if (isOpen) await welcome(tx, person, browser, "password");
    await forgetTries(tx, subject.key);
    return open(tx, now, person, browser, isOpen);
  });
  if (token === undefined) return { kind: "refused", person };
  return { kind: "session", token, isOpen, person };
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
  const owner = known && { id: known.personId, email: known.email };
  if (wait !== undefined) return { kind: "wait", seconds: wait, person: owner };
  const checked = await checkSigned(site, assertion, known);
  const { secret } = browser;
  // A passkey that was asked for by no name says whose it is.
  if (checked === undefined || secret === undefined || assertion.userHandle === "")
    return { kind: "refused", person: owner };
  const { person } = checked;
  return database.transaction(async (tx): Promise<LoginAnswer> => {
    const answer = await useAssertion(tx, checked, askedAtTheDoor(secret));
    if (answer === "copied") await recordCopied(tx, checked, actorOf(person, browser));
    if (answer !== "good") return { kind: answer, person };
    await welcome(tx, person, browser, "passkey");
    await forgetTries(tx, subject.key);
    const token = await open(tx, now, person, browser, true);
    return { kind: "session", token, isOpen: true, person };
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
  const codes = await codesAtTheDoor(database, person.id, browser.secret);
  const wait = await countCodeTry(database, codes);
  if (wait !== undefined) return { kind: "wait", seconds: wait, person };
  const proof = await readProof();
  const asked = askedInSession("second_step", person.id, token);
  const by = actorOf(person, browser);
  const answer = await database.transaction(async (tx): Promise<LoginAnswer> => {
    await lockPerson(tx, person.id);
    // It may have ended since: whoever removes or resets somebody ends sessions under the same lock.
    if ((await findSession(tx, token)) === undefined) return { kind: "refused", person };
    const proved = await useProof(tx, box, now, person, proof, asked, by);
    if (proved !== "good") return { kind: proved, person };
    await forgetTries(tx, codes);
    await welcome(tx, person, browser, proof.kind);
    const opened = await open(tx, now, person, browser, true);
    return { kind: "session", token: opened, isOpen: true, person };
  });
  if (answer.kind === "session") await endSession(database, token);
  return answer;
}

/** Whether a password that was found right still lets in, until the commit: the person may have been reset meanwhile. */
export async function isStillSo(
  tx: Tx,
  { id, password, hasSecondFactor }: Person & { readonly password: string | null },
): Promise<boolean> {
  await lockPerson(tx, id);
  const now = await selectPerson(tx, id);
  return now?.password === password && now.hasSecondFactor === hasSecondFactor;
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

/** Writes down who signed in and with what, where the person's companies read it. */
export async function welcome(
  tx: Tx,
  person: Pick<Person, "id" | "email">,
  browser: Browser,
  factor: Factor,
): Promise<void> {
  await greet(tx, person, browser);
  const by = actorOf(person, browser);
  await recordEverywhere(tx, person, by, { action: "person.signed_in", to: { factor } });
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
