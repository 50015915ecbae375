import { createHmac, timingSafeEqual } from "node:crypto";

/** RFC 6238 as every authenticator app does it: six digits, thirty seconds, SHA-1. */
const stepSeconds = 30;
const digits = 6;
/** A phone's clock may be a step behind or ahead. */
const stepsAside = [0, -1, 1] as const;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, without padding. */
export function toBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

export function totpCodeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1_000 / stepSeconds);
}

/** Which step a code is of, now or one beside it; undefined when it is of none. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const current = stepAt(now);
  const given = Buffer.from(code);
  return stepsAside
    .map((aside) => current + aside)
    .find((step) => {
      const expected = Buffer.from(totpCodeAt(secret, step));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** What an authenticator app reads from the QR code. */
export function totpAddress(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: "SHA1",
    digits: String(digits),
    period: String(stepSeconds),
  });
  // Apps read a plus sign as it is.
  return `otpauth://totp/${label}?${query.toString().replaceAll("+", "%20")}`;
}
