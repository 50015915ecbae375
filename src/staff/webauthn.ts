import type { Assertion, Attestation } from "./passkey.ts";
import type { PasskeySite } from "./passkey-site.ts";

/** COSE: ES256, EdDSA, RS256. */
export const passkeyAlgorithms = [-7, -8, -257] as const;

/** What an authenticator has signed, when the signature is good and everything in it is ours. */
export interface SignedAnswer {
  readonly challenge: string;
  readonly counter: number;
}

export interface NewCredential extends SignedAnswer {
  readonly publicKey: Buffer;
}

/**
 * Loaded by whoever first comes with a passkey: half a second and some 25 MB, which a node that nobody asks for passkeys does
 * not spend.
 */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** Undefined: whatever is wrong with it. The challenge is the one that was signed; whether it was ours is the database's to say. */
export async function verifyAssertion(
  { rpId, origin }: PasskeySite,
  assertion: Assertion,
  publicKey: Buffer,
): Promise<SignedAnswer | undefined> {
  const challenge = challengeIn(assertion.clientData);
  if (challenge === undefined) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const answer = await unlessRefused(() =>
    verifyAuthenticationResponse({
      response: {
        id: assertion.credentialId,
        rawId: assertion.credentialId,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: assertion.clientData,
          authenticatorData: assertion.authenticatorData,
          signature: assertion.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // Counters are compared by the write that keeps them: of two who come at once, both are seen.
      credential: { id: assertion.credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    }),
  );
  if (answer?.verified !== true) return undefined;
  return { challenge, counter: answer.authenticationInfo.newCounter };
}

export async function verifyAttestation(
  { rpId, origin }: PasskeySite,
  made: Attestation,
): Promise<NewCredential | undefined> {
  const challenge = challengeIn(made.clientData);
  if (challenge === undefined || !(await isUnattested(made))) return undefined;
  const { verifyRegistrationResponse } = await library();
  const answer = await unlessRefused(() =>
    verifyRegistrationResponse({
      response: {
        id: made.credentialId,
        rawId: made.credentialId,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON: made.clientData, attestationObject: made.attestation },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    }),
  );
  if (answer?.verified !== true) return undefined;
  const { id, publicKey, counter } = answer.registrationInfo.credential;
  // This is the id that was signed; the one beside it is anybody's word.
  if (id !== made.credentialId) return undefined;
  return { challenge, counter, publicKey: Buffer.from(publicKey) };
}

/**
 * We ask for no word of a manufacturer, so there is none to look at; at most the passkey has signed for itself. This comes
 * first: the library would follow certificates that a caller sends, to addresses that the caller has chosen.
 */
async function isUnattested({ attestation }: Attestation): Promise<boolean> {
  const { decodeAttestationObject } = await helpers();
  try {
    const bytes = new Uint8Array(Buffer.from(attestation, "base64url"));
    const object: unknown = decodeAttestationObject(bytes);
    if (!(object instanceof Map)) return false;
    const [format, statement]: unknown[] = [object.get("fmt"), object.get("attStmt")];
    if (!(statement instanceof Map)) return false;
    return format === "none" || (format === "packed" && !statement.has("x5c"));
  } catch {
    return false;
  }
}

/** The library throws what is wrong, in words for developers. Whatever it is, nothing was proved. */
async function unlessRefused<Answer>(verify: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

const challengeShape = /^[A-Za-z0-9_-]{43}$/;

function challengeIn(clientData: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientData, "base64url").toString());
    const challenge =
      typeof data === "object" && data !== null && "challenge" in data ? data.challenge : undefined;
    return typeof challenge === "string" && challengeShape.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
