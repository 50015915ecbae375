import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Database } from "../src/database/database.ts";
import {
  askedAtTheDoor,
  askedInSession,
  askForPasskey,
  creationOptions,
  issueChallenge,
} from "../src/staff/challenges.ts";
import type { Browser, LoginAnswer } from "../src/staff/login.ts";
import { signInByPasskey } from "../src/staff/login.ts";
import { readAssertion, readAttestation } from "../src/staff/passkey.ts";
import type { PasskeySite } from "../src/staff/passkey-site.ts";
import { type AddAnswer, addPasskey } from "../src/staff/passkeys.ts";
import { findPerson } from "../src/staff/people.ts";
import { readTrail } from "../src/trail/read-trail.ts";
import { type SignedIn, signIn } from "./console.ts";
import type { TestDatabase } from "./fixtures.ts";
import { type SignedFields, SoftAuthenticator, type Wrongs } from "./soft-authenticator.ts";

export const site: PasskeySite = { rpId: "pay.example", origin: "https://pay.example" };

export const browser: Browser & { readonly secret: string } = {
  address: "192.0.2.7",
  device: "Firefox",
  secret: "b".repeat(43),
  via: "POST /console/login/passkey",
};

/** Somebody's passkey, kept without the page that asks for a code first. */
export async function givePasskey(
  database: Database,
  at: PasskeySite,
  who: Pick<SignedIn, "personId">,
  device: SoftAuthenticator,
  wrongs: Wrongs = {},
  algorithm?: "ES256" | "EdDSA" | "RS256",
): Promise<AddAnswer> {
  const person = await findPerson(database, who.personId);
  if (person === undefined) throw new Error("nobody");
  const sessionToken = randomBytes(32).toString("base64url");
  const asked = askedInSession("create", person.id, sessionToken, "Téléphone");
  const challenge = await database.transaction((tx) => issueChallenge(tx, asked));
  const options = creationOptions(at, "Cauri", person, challenge, []);
  const fields = device.create(options, wrongs, algorithm);
  const made = readAttestation((name) => fields[name] ?? "");
  if (made === undefined) throw new Error("the fields are whole");
  const by = { personId: person.id, address: "192.0.2.7", via: "a test" };
  return addPasskey(database, at, new Date(), person, made, asked, by);
}

/** A challenge for whoever signs in with this browser. */
export function askAtTheDoor(
  database: Database,
  at: PasskeySite,
  { secret } = browser,
): Promise<object> {
  return askForPasskey(database, at, askedAtTheDoor(secret));
}

/** Signs in with what a device has signed. */
export async function enter(
  database: Database,
  at: PasskeySite,
  fields: SignedFields,
  from: Browser = browser,
): Promise<LoginAnswer> {
  const assertion = readAssertion((name) => fields[name] ?? "");
  if (assertion === undefined) throw new Error("the fields are whole");
  return signInByPasskey(database, at, new Date(), assertion, from);
}

/** Somebody who approves, with a device that has a passkey. */
export async function withPasskey(db: TestDatabase, companyId: string, counts = true) {
  const who = await signIn(db, companyId, "approver");
  const device = new SoftAuthenticator(site.origin, { counts });
  expect(await givePasskey(db.database, site, who, device)).toEqual({ name: "Téléphone" });
  return { who, device };
}

/** What a company's trail says, newest first. */
export async function actionsOf(
  { database }: Pick<TestDatabase, "database">,
  companyId: string,
): Promise<string[]> {
  const entries = await readTrail(database, {
    companyId,
    since: undefined,
    before: undefined,
    limit: 100,
  });
  return entries.map(({ action }) => action);
}
