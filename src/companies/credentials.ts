import { hash as digestOf, randomBytes } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import {
  countGoodKeys,
  expireKeys,
  insertKey,
  type KeyRow,
  revokeKeyRows,
  selectKeys,
  selectTokenHash,
} from "./credentials-store.ts";
import { CompanyNotFound, KeyNotFound, TooManyKeys } from "./errors.ts";
import { lockCompany } from "./store.ts";
import { sealingBox } from "./vault.ts";

export const keyIdPrefix = "key";
/** Where nodes tell each other that a key was rotated or revoked, or its company frozen. */
export const accessTokenChannel = "access_token_changed";

/** An access token and the secret key issued with it. Shown once; only a hash and a ciphertext are kept. */
export interface IssuedKey {
  readonly keyId: string;
  readonly accessToken: string;
  readonly secretKey: string;
}

/** In hexadecimal: a key for a map as it is. Every request has one made, and this is the quickest way. */
export function hashToken(accessToken: string): string {
  return digestOf("sha256", accessToken, "hex");
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
  const sealed = (await sealingBox(tx, box)).seal(key.secretKey, companyId);
  await insertKey(tx, companyId, key.keyId, Buffer.from(hashToken(key.accessToken), "hex"), sealed);
  return key;
}

/** A new key beside the old ones, which stay good for `overlapSeconds` so that nobody is cut off. */
export async function rotateKey(
  database: Database,
  signals: Signals,
  box: SecretBox,
  now: Date,
  request: { readonly companyId: string; readonly overlapSeconds: number },
  by: Actor = operator(),
  keysMax = Number.POSITIVE_INFINITY,
): Promise<IssuedKey> {
  const { companyId, overlapSeconds } = request;
  const issued = await database.transaction(async (tx) => {
    // Of two rotations at once the second ends the first one's key.
    if (!(await lockCompany(tx, companyId))) throw new CompanyNotFound(companyId);
    await expireKeys(tx, companyId, overlapSeconds);
    // Every notification is signed with each of them.
    if ((await countGoodKeys(tx, companyId)) >= keysMax) throw new TooManyKeys(keysMax);
    const key = await issueKey(tx, box, now, companyId);
    const subject = toPublicId(keyIdPrefix, key.keyId);
    const entry = { action: "key.issued", subject, to: { overlapSeconds } } as const;
    await recordForCompany(tx, companyId, by, entry);
    return key;
  });
  await signals.send(accessTokenChannel, "");
  return issued;
}

/** Ends a key at once: every node forgets its token when the signal arrives. */
export async function revokeKey(
  database: Database,
  signals: Signals,
  keyId: string,
  by: Actor = operator(),
): Promise<void> {
  const hash = await selectTokenHash(database, keyId);
  if (hash === undefined) throw new KeyNotFound(keyId);
  const subject = toPublicId(keyIdPrefix, keyId);
  await database.transaction(async (tx) => {
    await revokeKeyRows(tx, hash.company_id, keyId);
    await recordForCompany(tx, hash.company_id, by, { action: "key.revoked", subject });
  });
  await signals.send(accessTokenChannel, hash.token_hash.toString("hex"));
}

export async function listKeys(database: Database, companyId: string): Promise<KeyRow[]> {
  return selectKeys(database, companyId);
}
