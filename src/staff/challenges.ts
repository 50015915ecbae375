import { createHash, randomBytes } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { type Passkey, userHandleOf } from "./passkey.ts";
import type { PasskeySite } from "./passkey-site.ts";
import { insertChallenge, takeChallenge, trimChallenges } from "./passkeys-store.ts";
import type { Person } from "./person.ts";
import { hashSessionToken } from "./sessions.ts";
import { hashDevice } from "./tries.ts";
import { passkeyAlgorithms } from "./webauthn.ts";

const challengeBytes = 32;
/** How long somebody may look for the phone, or for the finger. */
const challengeSeconds = 300;
const challengesKeptMax = 10;

/** What an authenticator is asked to sign for: its answer is good for nothing else, nobody else and nowhere else. */
export interface Asked {
  readonly purpose:
    | "sign_in"
    | "second_step"
    | "step_up"
    | "add"
    | "create"
    | "remove"
    | "approve"
    | "refuse";
  /** Null: whoever signs in. */
  readonly personId: string | null;
  readonly holder: Buffer;
  readonly subject: string;
}

/** By whoever is signed in, at least with the password. */
export function askedInSession(
  purpose: Exclude<Asked["purpose"], "sign_in">,
  personId: string,
  sessionToken: string,
  subject = "",
): Asked & { readonly personId: string } {
  return { purpose, personId, holder: hashSessionToken(sessionToken), subject };
}

/** By a browser that nobody has signed in with yet. */
export function askedAtTheDoor(browserSecret: string): Asked {
  return { purpose: "sign_in", personId: null, holder: hashDevice(browserSecret), subject: "" };
}

/** A challenge, of which only the hash is kept. */
export async function issueChallenge(tx: Tx, asked: Asked): Promise<string> {
  const challenge = randomBytes(challengeBytes).toString("base64url");
  await trimChallenges(tx, asked, challengesKeptMax - 1);
  await insertChallenge(tx, hashChallenge(challenge), asked, challengeSeconds);
  return challenge;
}

/** What a browser asks an authenticator with that has passkeys; none are named to whoever is not known yet. */
export async function askForPasskey(
  database: Database,
  { rpId }: PasskeySite,
  asked: Asked,
  passkeys: readonly Passkey[] = [],
): Promise<object> {
  const challenge = await database.transaction((tx) => issueChallenge(tx, asked));
  return {
    challenge,
    rpId,
    timeout: challengeSeconds * 1_000,
    userVerification: "required",
    allowCredentials: passkeys.map(describe),
  };
}

/** What a browser makes a passkey with. One that can be found without a name, and that asks who holds it. */
export function creationOptions(
  { rpId }: PasskeySite,
  issuer: string,
  { id, email }: Pick<Person, "id" | "email">,
  challenge: string,
  passkeys: readonly Passkey[],
): object {
  return {
    challenge,
    rp: { id: rpId, name: issuer },
    user: { id: userHandleOf(id), name: email, displayName: email },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: challengeSeconds * 1_000,
    attestation: "none",
    excludeCredentials: passkeys.map(describe),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/**
 * Uses a challenge up, by a write of this transaction: answers its subject to the first who comes with it. Undefined: it was
 * used, has expired, or was somebody else's or for something else.
 */
export function useChallenge(
  tx: Tx,
  challenge: string,
  asked: Omit<Asked, "subject">,
): Promise<string | undefined> {
  return takeChallenge(tx, hashChallenge(challenge), asked);
}

function hashChallenge(challenge: string): Buffer {
  return createHash("sha256").update(challenge).digest();
}

function describe({ credentialId }: Passkey): object {
  return { type: "public-key", id: credentialId.toString("base64url") };
}
