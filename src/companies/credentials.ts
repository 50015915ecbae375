import { createHash, randomBytes } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { newUuid } from "../kernel/ids.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import {
  countGoodKeys,
  expireKeys,
  insertKey,
  type KeyRow,
  lockKeys,
  revokeKeyRows,
  selectKeys,
  selectTokenHash,
} from "./credentials-store.ts";
import { CompanyNotFound, KeyNotFound, TooManyKeys } from "./errors.ts";
import { selectCompany } from "./store.ts";

export const keyIdPrefix = "key";
/** Where nodes tell each other that a key was rotated or revoked. */
export const accessTokenChannel = "access_token_changed";

/** An access token and the secret key issued with it. Shown once; only a hash and a ciphertext are kept. */
export interface IssuedKey {
  readonly keyId: string;
  readonly accessToken: string;
  readonly secretKey: string;
}

export function hashToken(accessToken: string): Buffer {
  return createHash("sha256").update(accessToken).digest();
}

export async function issueKey(
  tx: Tx,
  box: SecretBox,
  now: Date,
  companyId: string,
): Promise<IssuedKey> {
  const key: IssuedKey = {
    keyId: newUuid(now.getTime()),
    accessToken: `at_${randomBytes(32).toString("base64url")}`,
    secretKey: `sk_${randomBytes(32).toString("base64url")}`,
  };
  await insertKey(
    tx,
    companyId,
    key.keyId,
    hashToken(key.accessToken),
    box.seal(key.secretKey, companyId),
  );
  return key;
}

/** A new key beside the old ones, which stay good for `overlapSeconds` so that nobody is cut off. */
export async function rotateKey(
  database: Database,
  signals: Signals,
  box: SecretBox,
  now: Date,
  request: { readonly companyId: string; readonly overlapSeconds: number },
  keysMax = Number.POSITIVE_INFINITY,
): Promise<IssuedKey> {
  const issued = await database.transaction(async (tx) => {
    const company = await selectCompany(tx, request.companyId);
    if (company === undefined) throw new CompanyNotFound(request.companyId);
    await lockKeys(tx, request.companyId);
    await expireKeys(tx, request.companyId, request.overlapSeconds);
    // Every notification is signed with each of them.
    if ((await countGoodKeys(tx, request.companyId)) >= keysMax) throw new TooManyKeys(keysMax);
    return issueKey(tx, box, now, request.companyId);
  });
  await signals.send(accessTokenChannel, "");
  return issued;
}

/** Ends a key at once: every node forgets its token when the signal arrives. */
export async function revokeKey(
  database: Database,
  signals: Signals,
  keyId: string,
): Promise<void> {
  const hash = await selectTokenHash(database, keyId);
  if (hash === undefined) throw new KeyNotFound(keyId);
  await database.transaction((tx) => revokeKeyRows(tx, hash.company_id, keyId));
  await signals.send(accessTokenChannel, hash.token_hash.toString("hex"));
}

export async function listKeys(database: Database, companyId: string): Promise<KeyRow[]> {
  return selectKeys(database, companyId);
}
