import { createHash, randomBytes } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { deleteSession, insertSession, touchSession } from "./wallet-sessions-store.ts";

export interface WalletSession {
  readonly msisdn: string;
}

const secretBytes = 32;
const cookieShape = /^([0-9]{8,15})\.([A-Za-z0-9_-]{43})$/;

/**
 * Opens a session, in the transaction that uses up the code it was opened with. Returns the value of the
 * browser's cookie: the number, which finds the row, and a secret of which only the hash is kept.
 */
export async function openWalletSession(tx: Tx, msisdn: string): Promise<string> {
  const secret = randomBytes(secretBytes).toString("base64url");
  await insertSession(tx, msisdn, hashOf(secret));
  return `${msisdn}.${secret}`;
}

/** Whose session it is; undefined when there is none, or it ended. Being found keeps it from idling out. */
export async function findWalletSession(
  database: Database,
  cookie: string,
): Promise<WalletSession | undefined> {
  const key = parse(cookie);
  if (key === undefined || !(await touchSession(database, key.msisdn, key.hash))) return undefined;
  return { msisdn: key.msisdn };
}

/** Ends a session at once; one that is not there is ended already. */
export async function endWalletSession(database: Database, cookie: string): Promise<void> {
  const key = parse(cookie);
  if (key !== undefined) await deleteSession(database, key.msisdn, key.hash);
}

function parse(cookie: string): { readonly msisdn: string; readonly hash: Buffer } | undefined {
  const [, msisdn, secret] = cookieShape.exec(cookie) ?? [];
  return msisdn === undefined || secret === undefined
    ? undefined
    : { msisdn, hash: hashOf(secret) };
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
