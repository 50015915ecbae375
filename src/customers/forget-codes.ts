import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const deletedAtOnceMax = 1_000;

/**
 * Deletes one-time codes, their recipients and wallet sessions that are older than a day, long after they
 * are good for anything or count for a limit. A bounded number; returns true when there may be more.
 */
export async function forgetCodes(database: Database): Promise<boolean> {
  const codes = await database.query(sql`
    delete from one_time_codes where (msisdn, id) in (
      select msisdn, id from one_time_codes where sent_at < now() - interval '1 day' and tries >= 0
      order by sent_at limit ${deletedAtOnceMax})
    returning msisdn`);
  // Asked twice: a recipient that is being sent a code just now is not old any more when its row is free.
  const recipients = await database.query(sql`
    delete from code_recipients where last_asked_at < now() - interval '1 day' and msisdn in (
      select msisdn from code_recipients
      where last_asked_at < now() - interval '1 day' and last_asked_at > '-infinity'
      order by last_asked_at limit ${deletedAtOnceMax})
    returning msisdn`);
  const sessions = await database.query(sql`
    delete from wallet_sessions where (msisdn, token_hash) in (
      select msisdn, token_hash from wallet_sessions
      where created_at < now() - interval '1 day' and created_at > '-infinity'
      order by created_at limit ${deletedAtOnceMax})
    returning msisdn`);
  return [codes, recipients, sessions].some(({ length }) => length === deletedAtOnceMax);
}
