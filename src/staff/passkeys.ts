import type { Database, Queryable, Tx } from "../database/database.ts";
import { newUuid } from "../kernel/ids.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { type Asked, useChallenge } from "./challenges.ts";
import {
  type Assertion,
  type Attestation,
  type Passkey,
  passkeysPerPersonMax,
  userHandleOf,
} from "./passkey.ts";
import type { PasskeySite } from "./passkey-site.ts";
import {
  deletePasskey,
  insertPasskey,
  type KnownCredential,
  raiseCounter,
  selectCredential,
  selectNameOf,
  selectPasskeys,
} from "./passkeys-store.ts";
import { recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import { recordCredentials } from "./record-credentials.ts";
import { endOthers } from "./sessions.ts";
import { lockPerson } from "./store.ts";
import { verifyAssertion, verifyAttestation } from "./webauthn.ts";

export function listPasskeys(database: Queryable, personId: string): Promise<Passkey[]> {
  return selectPasskeys(database, personId, passkeysPerPersonMax);
}

/** Signed by a passkey that is known here. Whether it was asked for, and is used for the first time, is not said yet. */
export interface CheckedAssertion {
  readonly person: Pick<Person, "id" | "email">;
  readonly credentialId: Buffer;
  readonly challenge: string;
  readonly counter: number;
}

/** The base point of the curve: an unknown passkey is looked at for as long as a known one, and refused in any case. */
const nobodysKey = Buffer.from(
  "a5010203262001" +
    "2158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
    "2258204fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
  "hex",
);

/** Looks at a signature, before the transaction that uses it up: nobody waits for the arithmetic. Undefined: it is not good. */
export async function checkAssertion(
  database: Queryable,
  site: PasskeySite,
  assertion: Assertion,
): Promise<CheckedAssertion | undefined> {
  return checkSigned(site, assertion, await findCredential(database, assertion));
}

export function findCredential(
  database: Queryable,
  { credentialId }: Assertion,
): Promise<KnownCredential | undefined> {
  return selectCredential(database, Buffer.from(credentialId, "base64url"));
}

/** The same by the passkey that was found. */
export async function checkSigned(
  site: PasskeySite,
  assertion: Assertion,
  known: KnownCredential | undefined,
): Promise<CheckedAssertion | undefined> {
  const signed = await verifyAssertion(site, assertion, known?.publicKey ?? nobodysKey);
  if (known === undefined || signed === undefined) return undefined;
  const { personId, email } = known;
  if (assertion.userHandle !== "" && assertion.userHandle !== userHandleOf(personId))
    return undefined;
  const credentialId = Buffer.from(assertion.credentialId, "base64url");
  return { person: { id: personId, email }, credentialId, ...signed };
}

/** copied: a count that was there before. Somebody may have the same passkey on another device. */
export type PasskeyAnswer = "good" | "refused" | "copied";

/**
 * Uses up what was signed, by writes of this transaction: the challenge, which has to be what was asked for, and the count of
 * the passkey, which has to be there still.
 */
export async function useAssertion(
  tx: Tx,
  { person, credentialId, challenge, counter }: CheckedAssertion,
  asked: Asked,
): Promise<PasskeyAnswer> {
  if (asked.personId !== null && asked.personId !== person.id) return "refused";
  if ((await useChallenge(tx, challenge, asked)) !== asked.subject) return "refused";
  if (await raiseCounter(tx, person.id, credentialId, counter)) return "good";
  return (await selectNameOf(tx, person.id, credentialId)) === undefined ? "refused" : "copied";
}

/** Tells the person's companies that a passkey seems to be there twice. */
export async function recordCopied(
  tx: Tx,
  { person, credentialId }: CheckedAssertion,
  by: ConsolePerson,
): Promise<void> {
  const name = (await selectNameOf(tx, person.id, credentialId)) ?? null;
  await recordEverywhere(tx, person, by, { action: "person.passkey_copied", to: { name } });
}

/** known: an authenticator has that id already. full: as many as a person may have. */
export type AddAnswer = { readonly name: string } | "refused" | "known" | "full";

/** Keeps a passkey that was made after its person had proved to be there: the challenge was given for that. */
export async function addPasskey(
  database: Database,
  site: PasskeySite,
  now: Date,
  person: Person,
  made: Attestation,
  asked: Omit<Asked, "subject">,
  by: ConsolePerson,
): Promise<AddAnswer> {
  const credential = await verifyAttestation(site, made);
  if (credential === undefined) return "refused";
  const { challenge, publicKey, counter } = credential;
  return database.transaction(async (tx) => {
    // Whoever ends everything that this person signs in with does it before, or after and with this one.
    const locked = await lockPerson(tx, person.id);
    const name = await useChallenge(tx, challenge, asked);
    if (name === undefined || locked?.hasSecondFactor !== true) return "refused";
    if ((await listPasskeys(tx, person.id)).length >= passkeysPerPersonMax) return "full";
    const credentialId = Buffer.from(made.credentialId, "base64url");
    const id = newUuid(now.getTime());
    const passkey = { credentialId, id, personId: person.id, name, publicKey, counter };
    if (!(await insertPasskey(tx, passkey))) return "known";
    await recordEverywhere(tx, person, by, { action: "person.passkey_added", to: { name } });
    await recordCredentials(tx, person.id, by);
    return { name };
  });
}

/** Ends a passkey at once, and every other session: whoever has the device may have opened one. Undefined: there is none. */
export async function removePasskey(
  tx: Tx,
  person: Person,
  passkeyId: string,
  keptToken: string,
  by: ConsolePerson,
): Promise<string | undefined> {
  const name = await deletePasskey(tx, person.id, passkeyId);
  if (name === undefined) return undefined;
  await endOthers(tx, person.id, keptToken);
  await recordEverywhere(tx, person, by, { action: "person.passkey_removed", from: { name } });
  await recordCredentials(tx, person.id, by);
  return name;
}
