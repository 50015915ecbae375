import type { Database, Queryable, Tx, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Person } from "./person.ts";
import type { CompanyRole } from "./roles.ts";
import { type PersonRow, toPerson } from "./store.ts";

interface SessionRow extends PersonRow {
  readonly session_id: string;
  readonly company_id: string | null;
  readonly role: CompanyRole | null;
  readonly unseen_changes: number | null;
  readonly is_open: boolean;
  readonly is_fresh: boolean;
  readonly has_passkey: boolean;
  readonly notice: string | null;
  readonly idle_ends_at: Date;
  readonly ends_at: Date;
}

export interface FoundSession {
  readonly id: string;
  readonly person: Person;
  /** For whom the person works in it; null: for the operator. */
  readonly companyId: string | null;
  /** Null when it is no member there, or not any more. */
  readonly role: CompanyRole | null;
  /** Changes of people, roles, keys and rules that an owner has not acknowledged. */
  readonly unseenChanges: number;
  readonly isOpen: boolean;
  /** The person has just proved to be there, with the second factor or, without one, the password. */
  readonly isFresh: boolean;
  readonly hasPasskey: boolean;
  /** What the next page has to say. */
  readonly notice: string | null;
  /** When it ends if nothing is asked for until then. */
  readonly idleEndsAt: Date;
  readonly endsAt: Date;
}

export async function insertSession(
  tx: Tx,
  session: {
    readonly tokenHash: Buffer;
    readonly id: string;
    readonly personId: string;
    readonly companyId: string | null;
    readonly isOpen: boolean;
    readonly address: string;
    readonly device: string;
  },
): Promise<void> {
  const { tokenHash, id, personId, companyId, isOpen, address, device } = session;
  await tx.query(sql`
    insert into staff_sessions (token_hash, session_id, person_id, company_id, is_open, address, device, proved_at)
    values (${tokenHash}, ${id}, ${personId}, ${companyId}, ${isOpen}, ${address}, ${device},
      case when ${isOpen} then now() end)`);
}

/**
 * A session that is good now, whichever node opened or ended it: at most 30 minutes idle and 12 hours old, and for ten
 * minutes while its second factor is missing. A proof is fresh for five minutes. Its person and membership are as they are now.
 */
export async function selectSession(
  database: Queryable,
  tokenHash: Buffer,
): Promise<FoundSession | undefined> {
  const [row] = await database.query<SessionRow>(sql`
    select s.session_id, s.company_id, s.is_open, s.notice, m.role, m.unseen_changes,
      coalesce(s.is_open and s.proved_at > now() - interval '5 minutes', false) as is_fresh,
      exists (select 1 from passkeys k where k.person_id = s.person_id) as has_passkey,
      now() + interval '30 minutes' as idle_ends_at,
      s.created_at + (case when s.is_open then interval '12 hours' else interval '10 minutes' end) as ends_at,
      p.person_id, p.email, p.password is not null as has_password, p.totp_sealed is not null as has_second_factor,
      p.is_operator, p.language, p.created_at
    from staff_sessions s
    join people p on p.person_id = s.person_id
    left join memberships m on m.person_id = s.person_id and m.company_id = s.company_id
    where s.token_hash = ${tokenHash} and s.seen_at > now() - interval '30 minutes'
      and s.created_at > now() - (case when s.is_open then interval '12 hours' else interval '10 minutes' end)`);
  return (
    row && {
      id: row.session_id,
      person: toPerson(row),
      companyId: row.company_id,
      role: row.role,
      unseenChanges: row.unseen_changes ?? 0,
      isOpen: row.is_open,
      isFresh: row.is_fresh,
      hasPasskey: row.has_passkey,
      notice: row.notice,
      idleEndsAt: row.idle_ends_at < row.ends_at ? row.idle_ends_at : row.ends_at,
      endsAt: row.ends_at,
    }
  );
}

/** Keeps it from idling out; at most one write a minute. Clears what has been said. */
export async function touchSession(database: Database, tokenHash: Buffer): Promise<void> {
  await database.execute(sql`
    update staff_sessions set seen_at = now(), notice = null
    where token_hash = ${tokenHash} and (seen_at < now() - interval '1 minute' or notice is not null)`);
}

export async function updateProof(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`
    update staff_sessions set proved_at = now() where token_hash = ${tokenHash} and is_open`);
}

export async function updateNotice(
  database: Database,
  tokenHash: Buffer,
  notice: string,
): Promise<void> {
  await database.execute(sql`
    update staff_sessions set notice = ${notice} where token_hash = ${tokenHash}`);
}

export async function updateSessionCompany(
  database: Writable,
  tokenHash: Buffer,
  companyId: string | null,
): Promise<void> {
  await database.execute(sql`
    update staff_sessions set company_id = ${companyId} where token_hash = ${tokenHash} returning 1`);
}

export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string;
  readonly device: string;
}

export async function selectSessions(
  database: Queryable,
  personId: string,
): Promise<ListedSession[]> {
  return database.query<ListedSession>(sql`
    select session_id as id, created_at as "createdAt", seen_at as "seenAt", address, device
    from staff_sessions
    where person_id = ${personId} and is_open and seen_at > now() - interval '30 minutes'
      and created_at > now() - interval '12 hours'
    order by created_at desc limit 100`);
}

export async function deleteSession(database: Writable, tokenHash: Buffer): Promise<void> {
  await database.execute(
    sql`delete from staff_sessions where token_hash = ${tokenHash} returning 1`,
  );
}

/** One of a person's own; false when it has none of that id. */
export async function deleteSessionById(
  tx: Tx,
  personId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from staff_sessions where session_id = ${sessionId} and person_id = ${personId} returning 1`);
  return rows.length === 1;
}

/** All of a person's sessions, but the one that may be kept; answers how many there were. */
export async function deleteSessionsOf(
  tx: Tx,
  personId: string,
  kept: Buffer | undefined,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from staff_sessions
    where person_id = ${personId} and token_hash is distinct from ${kept ?? null}::bytea returning 1`);
  return rows.length;
}

/** A person has so many at a time; the oldest make room. */
export async function trimSessions(tx: Tx, personId: string, keptMax: number): Promise<void> {
  await tx.query(sql`
    delete from staff_sessions where person_id = ${personId} and token_hash in (
      select token_hash from staff_sessions where person_id = ${personId}
      order by created_at desc offset ${keptMax})`);
}

const deletedAtOnceMax = 1_000;

/** Deletes what ended a day ago, a bounded number; true when there may be more. */
export async function deleteOldSessions(database: Database): Promise<boolean> {
  const rows = await database.execute(sql`
    delete from staff_sessions where token_hash in (
      select token_hash from staff_sessions
      where created_at < now() - interval '1 day' and created_at > '-infinity'
      order by created_at limit ${deletedAtOnceMax})
    returning 1`);
  return rows.length === deletedAtOnceMax;
}
