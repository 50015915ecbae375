import type { Database, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export async function insertSession(tx: Tx, msisdn: string, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`
    insert into wallet_sessions (msisdn, token_hash) values (${msisdn}, ${tokenHash})`);
}

/** True while the session is good: at most 30 minutes idle, at most 12 hours old. */
export async function touchSession(
  database: Database,
  msisdn: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update wallet_sessions set seen_at = now()
    where msisdn = ${msisdn} and token_hash = ${tokenHash}
      and seen_at > now() - interval '30 minutes' and created_at > now() - interval '12 hours'
    returning msisdn`);
  return rows.length === 1;
}

export async function deleteSession(
  database: Database,
  msisdn: string,
  tokenHash: Buffer,
): Promise<void> {
  await database.execute(sql`
    delete from wallet_sessions where msisdn = ${msisdn} and token_hash = ${tokenHash}`);
}

const deletedAtOnceMax = 1_000;

/** Deletes sessions older than a day, a bounded number; true when there may be more. */
export async function deleteOldSessions(database: Database): Promise<boolean> {
  const deleted = await database.execute(sql`
    delete from wallet_sessions where (msisdn, token_hash) in (
      select msisdn, token_hash from wallet_sessions
      where created_at < now() - interval '1 day' and created_at > '-infinity'
      order by created_at limit ${deletedAtOnceMax})
    returning msisdn`);
  return deleted.length === deletedAtOnceMax;
}
