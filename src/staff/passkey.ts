/** How somebody proves to be there with a device: named by its person, kept as its public key. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** As the authenticator names it. */
  readonly credentialId: Buffer;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** A phone, a computer, a key in the drawer. */
export const passkeysPerPersonMax = 10;
const nameMax = 60;

/** What a browser hands over of an authenticator's signature, in base64url. Nothing of it is believed yet. */
export interface Assertion {
  readonly credentialId: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Whose passkey it is, as the authenticator knows it; empty when it was asked about known ones. */
  readonly userHandle: string;
}

/** The same of a new passkey. */
export interface Attestation {
  readonly credentialId: string;
  readonly clientData: string;
  readonly attestation: string;
}

/** Bytes that each part may have, by the specification or well beyond what any authenticator sends. */
const bytesMax = {
  credentialId: 1_023,
  clientData: 2_048,
  authenticatorData: 2_048,
  signature: 1_024,
  attestation: 6_144,
} as const;
const userHandleMax = 64;

type Fields = (name: string) => string;

export function readAssertion(field: Fields): Assertion | undefined {
  const assertion = {
    credentialId: field("credentialId"),
    clientData: field("clientData"),
    authenticatorData: field("authenticatorData"),
    signature: field("signature"),
    userHandle: field("userHandle"),
  };
  const isWhole =
    isBytes(assertion.credentialId, bytesMax.credentialId) &&
    isBytes(assertion.clientData, bytesMax.clientData) &&
    isBytes(assertion.authenticatorData, bytesMax.authenticatorData) &&
    isBytes(assertion.signature, bytesMax.signature) &&
    (assertion.userHandle === "" || isBytes(assertion.userHandle, userHandleMax));
  return isWhole ? assertion : undefined;
}

export function readAttestation(field: Fields): Attestation | undefined {
  const made = {
    credentialId: field("credentialId"),
    clientData: field("clientData"),
    attestation: field("attestation"),
  };
  const isWhole =
    isBytes(made.credentialId, bytesMax.credentialId) &&
    isBytes(made.clientData, bytesMax.clientData) &&
    isBytes(made.attestation, bytesMax.attestation);
  return isWhole ? made : undefined;
}

/** Without what a page or a database cannot show; undefined when nothing is left. */
export function readPasskeyName(typed: string): string | undefined {
  const name = typed.replaceAll(/\p{C}+/gu, " ").trim();
  return name === "" || name.length > nameMax ? undefined : name;
}

/** In base64url, as there is exactly one way to write it. */
function isBytes(text: string, max: number): boolean {
  if (text === "" || text.length > Math.ceil((max * 4) / 3)) return false;
  return Buffer.from(text, "base64url").toString("base64url") === text;
}

/** By what authenticators know a person: bytes that say nothing of it to anybody else. */
export function userHandleOf(personId: string): string {
  return Buffer.from(personId.replaceAll("-", ""), "hex").toString("base64url");
}
