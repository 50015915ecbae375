import { hash as digestOf, randomBytes } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { readEnvironment } from "../database/environment.ts";
import type { Signals } from "../database/signals.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import type { Fields } from "../trail/trail.ts";
import { newAccessToken } from "./access-token.ts";
import {
  countGoodKeys,
  expireKey,
  expireKeys,
  insertKey,
  insertKeyDetails,
  type KeyRow,
  markTransfers,
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

/** What the trail says of a key: the hash by which its token is found, so that no other can be put in its place. */
export function trailedKey({ accessToken }: IssuedKey): Fields {
  return { tokenHash: hashToken(accessToken) };
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
  createdAt: Date,
): Promise<IssuedKey> {
  const key: IssuedKey = {
    keyId: newUuid(now.getTime()),
    accessToken: newAccessToken(await readEnvironment(tx)),
    secretKey: `sk_${randomBytes(32).toString("base64url")}`,
  };
  const sealed = (await sealingBox(tx, box)).seal(key.secretKey, companyId);
  const tokenHash = Buffer.from(hashToken(key.accessToken), "hex");
  await insertKey(tx, companyId, key.keyId, tokenHash, sealed, createdAt);
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
  return database.transaction(async (tx) => {
    await signals.sendAtCommit(tx, accessTokenChannel, "");
    // Of two rotations at once the second ends the first one's key.
    const at = await holdKeys(tx, companyId);
    await expireKeys(tx, companyId, overlapSeconds);
    // Every notification is signed with each of them.
    if ((await countGoodKeys(tx, companyId)) >= keysMax) throw new TooManyKeys(keysMax);
    const key = await issueKey(tx, box, now, companyId, at);
    const subject = toPublicId(keyIdPrefix, key.keyId);
    await recordForCompany(tx, companyId, by, {
      action: "key.issued",
      subject,
      to: { overlapSeconds, ...trailedKey(key) },
    });
    return key;
  });
}

/** A new key beside those there are, which stay as they are. */
export async function createKey(
  database: Database,
  signals: Signals,
  box: SecretBox,
  now: Date,
  request: { readonly companyId: string; readonly name: string },
  by: Actor,
  keysMax: number,
): Promise<IssuedKey> {
  const { companyId, name } = request;
  return database.transaction(async (tx) => {
    await signals.sendAtCommit(tx, accessTokenChannel, "");
    const at = await holdKeys(tx, companyId);
    return issueNamed(tx, box, now, at, { companyId, name, replaces: null }, by, keysMax, { name });
  });
}

/**
 * A new key in the place of one, which stays good until a moment, so that nobody is cut off. The others stay as they are.
 * Throws KeyNotFound unless it is a good key of the company.
 */
export async function replaceKey(
  database: Database,
  signals: Signals,
  box: SecretBox,
  now: Date,
  request: { readonly companyId: string; readonly keyId: string; readonly endsAt: Date },
  by: Actor,
  keysMax: number,
): Promise<IssuedKey> {
  const { companyId, keyId, endsAt } = request;
  return database.transaction(async (tx) => {
    await signals.sendAtCommit(tx, accessTokenChannel, "");
    const at = await holdKeys(tx, companyId);
    const replaced = (await selectKeys(tx, companyId)).find((key) => key.key_id === keyId);
    if (replaced === undefined || !isGoodKey(replaced, now)) throw new KeyNotFound(keyId);
    await expireKey(tx, companyId, keyId, endsAt);
    const { name } = replaced;
    const told = { name, replaces: toPublicId(keyIdPrefix, keyId), until: endsAt.toISOString() };
    return issueNamed(tx, box, now, at, { companyId, name, replaces: keyId }, by, keysMax, told);
  });
}

/**
 * From here to the commit nobody else changes the company's keys; answers the moment of the change, which stands between the
 * company's transfers. In the order of the locks: the books, the company. Throws CompanyNotFound.
 */
async function holdKeys(tx: Tx, companyId: string): Promise<Date> {
  const at = await markTransfers(tx, companyId);
  if (at === undefined || !(await lockCompany(tx, companyId))) throw new CompanyNotFound(companyId);
  return at;
}

async function issueNamed(
  tx: Tx,
  box: SecretBox,
  now: Date,
  at: Date,
  request: {
    readonly companyId: string;
    readonly name: string | null;
    readonly replaces: string | null;
  },
  by: Actor,
  keysMax: number,
  told: Fields,
): Promise<IssuedKey> {
  const { companyId } = request;
  // Every notification is signed with each of them.
  if ((await countGoodKeys(tx, companyId)) >= keysMax) throw new TooManyKeys(keysMax);
  const key = await issueKey(tx, box, now, companyId, at);
  await insertKeyDetails(tx, companyId, key.keyId, request);
  const subject = toPublicId(keyIdPrefix, key.keyId);
  await recordForCompany(tx, companyId, by, {
    action: "key.issued",
    subject,
    to: { ...told, ...trailedKey(key) },
  });
  return key;
}

/** Whether a key opens and signs at a moment. */
export function isGoodKey(
  { revoked_at, expires_at }: Pick<KeyRow, "revoked_at" | "expires_at">,
  now: Date,
): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/** Further than that no database's clock goes back unseen. */
const clockBackMaxMs = 86_400_000;

/**
 * The public ids of the company's keys that were good at any moment between these two, which are times of transfers' ids. Where a key
 * begins and is revoked is known to the millisecond among those; where its time ran out, only by the clock.
 */
export async function findKeysGoodBetween(
  database: Queryable,
  companyId: string,
  from: Date,
  to: Date,
): Promise<string[]> {
  return (await selectKeys(database, companyId))
    .filter(
      ({ created_at, expires_at, revoked_at }) =>
        created_at <= to &&
        (expires_at === null || expires_at.getTime() >= from.getTime() - clockBackMaxMs) &&
        (revoked_at === null || revoked_at >= from),
    )
    .map(({ key_id }) => toPublicId(keyIdPrefix, key_id));
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
    const at = await markTransfers(tx, hash.company_id);
    if (at === undefined) throw new CompanyNotFound(hash.company_id);
    await revokeKeyRows(tx, hash.company_id, keyId, at);
    await recordForCompany(tx, hash.company_id, by, { action: "key.revoked", subject });
    await signals.sendAtCommit(tx, accessTokenChannel, hash.token_hash.toString("hex"));
  });
}

export async function listKeys(database: Database, companyId: string): Promise<KeyRow[]> {
  return selectKeys(database, companyId);
}
