import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Send } from "./guess-limits.ts";
import {
  type CodeKey,
  codeLifetimeSeconds,
  codeTriesMax,
  wrongTriesWindowSeconds,
} from "./one-time-code.ts";

const deletedAtOnceMax = 1_000;
/** Few: the planner does not know that most old codes are guessed ones, and would read the table rather than look many up. */
const codesDeletedAtOnceMax = 100;

/** Takes the phone's row, until the end of the transaction: sends to one phone go one after the other. */
export async function lockRecipient(tx: Tx, msisdn: string): Promise<void> {
  await tx.query(sql`
    insert into code_recipients as r (msisdn, last_asked_at) values (${msisdn}, now())
    on conflict (msisdn) do update set last_asked_at = excluded.last_asked_at`);
}

export interface SendRow extends Send {
  readonly id: string;
  readonly sealed_code: Buffer | null;
  readonly sent_at: Date;
}

/** What was sent to a phone lately, for anything, newest first. Budgets and limits keep it short. */
export async function selectSends(database: Queryable, msisdn: string): Promise<SendRow[]> {
  return database.query<SendRow>(sql`
    select id, purpose, browser_hash, is_known, sealed_code, sent_at, tries,
      right_at is not null as is_right, used_at is not null as is_used,
      extract(epoch from clock_timestamp() - sent_at)::float8 as age_seconds
    from one_time_codes
    where msisdn = ${msisdn} and sent_at > clock_timestamp() - make_interval(secs => ${wrongTriesWindowSeconds})
    order by sent_at desc, id desc`);
}

export interface NewCode extends CodeKey {
  readonly id: string;
  readonly isKnown: boolean;
  readonly codeHash: Buffer;
  readonly sealedCode: Buffer | undefined;
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await tx.query(sql`
    insert into one_time_codes (msisdn, id, purpose, browser_hash, is_known, code_hash, sealed_code)
    values (${code.msisdn}, ${code.id}, ${code.purpose}, ${code.browser}, ${code.isKnown}, ${code.codeHash},
      ${code.sealedCode ?? null})`);
}

/** Takes a code back that never left; one that was guessed at meanwhile stays, and its tries count. */
export async function deleteCode(database: Database, msisdn: string, id: string): Promise<void> {
  await database.execute(sql`
    delete from one_time_codes where msisdn = ${msisdn} and id = ${id} and tries = 0`);
}

/**
 * Spends one try of the browser's newest code, if it is good and has one left. A statement and a commit of its own,
 * before anything is compared: of a hundred guesses at once, five get a row back.
 */
export async function spendTry(
  database: Database,
  { msisdn, purpose, browser }: CodeKey,
): Promise<
  { readonly id: string; readonly code_hash: Buffer; readonly tries: number } | undefined
> {
  const rows = await database.execute<{ id: string; code_hash: Buffer; tries: number }>(sql`
    update one_time_codes as c set tries = c.tries + 1
    where c.msisdn = ${msisdn} and c.id = (
        select n.id from one_time_codes n
        where n.msisdn = ${msisdn} and n.purpose = ${purpose} and n.browser_hash = ${browser}
        order by n.sent_at desc, n.id desc limit 1)
      and c.tries < ${codeTriesMax} and c.used_at is null
      and c.sent_at > now() - make_interval(secs => ${codeLifetimeSeconds})
    returning c.id, c.code_hash, c.tries`);
  return rows[0];
}

export async function markRight(database: Database, msisdn: string, id: string): Promise<void> {
  await database.execute(sql`
    update one_time_codes set right_at = now() where msisdn = ${msisdn} and id = ${id}`);
}

export interface UsedCode extends Pick<CodeKey, "msisdn" | "browser"> {
  readonly codeId: string;
}

/** True for one transaction only: a second one waits for the first and then finds the code used. */
export async function markUsed(tx: Tx, { msisdn, codeId, browser }: UsedCode): Promise<boolean> {
  const rows = await tx.query(sql`
    update one_time_codes as c set used_at = now()
    where c.msisdn = ${msisdn} and c.id = ${codeId} and c.browser_hash = ${browser}
      and c.right_at is not null and c.used_at is null
      and c.sent_at > now() - make_interval(secs => ${codeLifetimeSeconds})
      and not exists (
        select 1 from one_time_codes n
        where n.msisdn = ${msisdn} and n.purpose = c.purpose and n.browser_hash = c.browser_hash
          and (n.sent_at, n.id) > (c.sent_at, c.id))
    returning c.id`);
  return rows.length === 1;
}

/**
 * Deletes codes that nobody guessed at after a day, the others when their wrong tries no longer count. A bounded number;
 * true when there may be more.
 */
export async function deleteOldCodes(database: Database): Promise<boolean> {
  const unguessed = await database.execute(sql`
    delete from one_time_codes where (msisdn, id) in (
      select msisdn, id from one_time_codes
      where sent_at < now() - interval '1 day' and (tries = 0 or right_at is not null)
      order by sent_at limit ${codesDeletedAtOnceMax})
    returning msisdn`);
  const guessed = await database.execute(sql`
    delete from one_time_codes where (msisdn, id) in (
      select msisdn, id from one_time_codes
      where sent_at < now() - make_interval(secs => ${wrongTriesWindowSeconds}) and tries >= 0
      order by sent_at limit ${codesDeletedAtOnceMax})
    returning msisdn`);
  return unguessed.length === codesDeletedAtOnceMax || guessed.length === codesDeletedAtOnceMax;
}

/**
 * Deletes phones that were sent nothing for a day. Their age is asked for again by the delete itself: a phone
 * that is being sent a code just now is no longer old once its row is free.
 */
export async function deleteOldRecipients(database: Database): Promise<boolean> {
  const deleted = await database.execute(sql`
    delete from code_recipients where last_asked_at < now() - interval '1 day' and msisdn in (
      select msisdn from code_recipients
      where last_asked_at < now() - interval '1 day' and last_asked_at > '-infinity'
      order by last_asked_at limit ${deletedAtOnceMax})
    returning msisdn`);
  return deleted.length === deletedAtOnceMax;
}
