import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;
const derivedKeyBytes = 32;
const fingerprintBytes = 8;

/** AES-256-GCM for what must be read back later, such as the keys that sign webhooks. */
export interface SecretBox {
  /** Of its master keys, the one that seals first: they tell keys apart, and nobody gets from them to a key. */
  readonly fingerprints: readonly string[];
  /** `boundTo` is authenticated with the secret: a ciphertext copied to another company's row does not open. */
  seal(plain: string, boundTo: string): Buffer;
  /** Throws when none of the master keys opens it. */
  open(sealed: Buffer, boundTo: string): string;
  /** A key of its own for another purpose, which it names: always the same, and no way back from it. */
  deriveKey(purpose: string): Buffer;
  /** The same box, sealing with another of its master keys; undefined when it does not have that one. */
  sealingWith(fingerprint: string): SecretBox | undefined;
}

/** The first master key seals, each of them opens. */
export function secretBox(...masterKeys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [sealing] = masterKeys;
  return {
    fingerprints: masterKeys.map(fingerprintOf),
    seal: (plain, boundTo) => seal(sealing, plain, boundTo),
    open: (sealed, boundTo) => openWithAny(masterKeys, sealed, boundTo),
    deriveKey: (purpose) => derive(sealing, purpose, derivedKeyBytes),
    sealingWith(fingerprint) {
      const key = masterKeys.find((one) => fingerprintOf(one) === fingerprint);
      return key && secretBox(key, ...masterKeys.filter((one) => one !== key));
    },
  };
}

export function fingerprintOf(masterKey: Buffer): string {
  return derive(masterKey, "fingerprint", fingerprintBytes).toString("hex");
}

function seal(key: Buffer, plain: string, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function openWithAny(keys: readonly Buffer[], sealed: Buffer, boundTo: string): string {
  let failure: unknown;
  for (const key of keys) {
    try {
      return open(key, sealed, boundTo);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function open(key: Buffer, sealed: Buffer, boundTo: string): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const body = sealed.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

function derive(key: Buffer, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", purpose, bytes));
}
