import { randomBytes, scryptSync } from "node:crypto";

const cost = { log2N: 4, r: 8, p: 1 } as const;
const keyBytes = 32;

/** A password as it is kept, stretched so little that a sequence of sign-ins costs nothing: what is kept says how much. */
export function stretchCheaply(password: string): string {
  const salt = randomBytes(16);
  const { log2N, r, p } = cost;
  const key = scryptSync(password, salt, keyBytes, { N: 2 ** log2N, r, p });
  return ["scrypt", log2N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}
