import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;
const derivedKeyBytes = 32;

/** AES-256-GCM for what must be read back later, such as the keys that sign webhooks. */
export interface SecretBox {
  seal(plain: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
  /** A key of its own for another purpose, which it names: always the same, and no way back from it. */
  deriveKey(purpose: string): Buffer;
}

/** `boundTo` is authenticated with the secret: a ciphertext copied to another company's row does not open. */
export function secretBox(masterKey: Buffer): SecretBox {
  return {
    seal(plain, boundTo) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", masterKey, nonce).setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, boundTo) {
      const decipher = createDecipheriv("aes-256-gcm", masterKey, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = sealed.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
    deriveKey(purpose) {
      return Buffer.from(hkdfSync("sha256", masterKey, "", purpose, derivedKeyBytes));
    },
  };
}
