import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Passkey } from "./passkey.ts";

export async function selectPasskeys(
  database: Queryable,
  personId: string,
  limit: number,
): Promise<Passkey[]> {
  return database.query<Passkey>(sql`
    select passkey_id as id, name, credential_id as "credentialId", created_at as "createdAt", used_at as "usedAt"
    from passkeys where person_id = ${personId} order by passkey_id limit ${limit}`);
}

/** Whose it is, and what its signatures are tried with. */
export interface KnownCredential {
  readonly personId: string;
  readonly email: string;
  readonly publicKey: Buffer;
}

export async function selectCredential(
  database: Queryable,
  credentialId: Buffer,
): Promise<KnownCredential | undefined> {
  const [row] = await database.query<KnownCredential>(sql`
    select k.person_id as "personId", p.email, k.public_key as "publicKey"
    from passkeys k join people p on p.person_id = k.person_id
    where k.credential_id = ${credentialId}`);
  return row;
}

/** False when an authenticator has that id already, whosever it is. */
export async function insertPasskey(
  tx: Tx,
  passkey: {
    readonly credentialId: Buffer;
    readonly id: string;
    readonly personId: string;
    readonly name: string;
    readonly publicKey: Buffer;
    readonly counter: number;
  },
): Promise<boolean> {
  const { credentialId, id, personId, name, publicKey, counter } = passkey;
  const rows = await tx.query(sql`
    insert into passkeys (credential_id, passkey_id, person_id, name, public_key, counter)
    values (${credentialId}, ${id}, ${personId}, ${name}, ${publicKey}, ${counter})
    on conflict (credential_id) do nothing returning 1`);
  return rows.length === 1;
}

/**
 * Notes a use. True for a counter that has gone on, or that the authenticator does not keep; of two uses with one count, the
 * first.
 */
export async function raiseCounter(
  tx: Tx,
  personId: string,
  credentialId: Buffer,
  counter: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set counter = ${counter}, used_at = now()
    where credential_id = ${credentialId} and person_id = ${personId}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))
    returning 1`);
  return rows.length === 1;
}

/** The name of a passkey that this person still has. */
export async function selectNameOf(
  tx: Tx,
  personId: string,
  credentialId: Buffer,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    select name from passkeys where credential_id = ${credentialId} and person_id = ${personId}`);
  return row?.name;
}

/** One of a person's own; answers its name. */
export async function deletePasskey(
  tx: Tx,
  personId: string,
  passkeyId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    delete from passkeys where passkey_id = ${passkeyId} and person_id = ${personId} returning name`);
  return row?.name;
}

export async function deletePasskeysOf(tx: Tx, personId: string): Promise<void> {
  await tx.query(sql`delete from passkeys where person_id = ${personId}`);
  await tx.query(sql`delete from passkey_challenges where person_id = ${personId}`);
}

export interface ChallengeRow {
  readonly purpose: string;
  readonly personId: string | null;
  readonly holder: Buffer;
  readonly subject: string;
}

export async function insertChallenge(
  tx: Tx,
  hash: Buffer,
  { purpose, personId, holder, subject }: ChallengeRow,
  seconds: number,
): Promise<void> {
  await tx.query(sql`
    insert into passkey_challenges (challenge_hash, purpose, person_id, holder, subject, expires_at)
    values (${hash}, ${purpose}, ${personId}, ${holder}, ${subject}, now() + make_interval(secs => ${seconds}))`);
}

/** A person, and a browser that nobody has signed in with, have so many at a time; the oldest make room. */
export async function trimChallenges(
  tx: Tx,
  { personId, holder }: Pick<ChallengeRow, "personId" | "holder">,
  keptMax: number,
): Promise<void> {
  await (personId === null
    ? tx.query(sql`
        delete from passkey_challenges where holder = ${holder} and challenge_hash in (
          select challenge_hash from passkey_challenges where holder = ${holder} and person_id is null
          order by created_at desc offset ${keptMax})`)
    : tx.query(sql`
        delete from passkey_challenges where person_id = ${personId} and challenge_hash in (
          select challenge_hash from passkey_challenges where person_id = ${personId}
          order by created_at desc offset ${keptMax})`));
}

/** Uses a challenge up: answers its subject to the first who comes with it, in time and for what it was asked for. */
export async function takeChallenge(
  tx: Tx,
  hash: Buffer,
  { purpose, personId, holder }: Omit<ChallengeRow, "subject">,
): Promise<string | undefined> {
  const [row] = await tx.query<{ subject: string }>(sql`
    delete from passkey_challenges
    where challenge_hash = ${hash} and purpose = ${purpose} and holder = ${holder}
      and person_id is not distinct from ${personId}::uuid and expires_at > now()
    returning subject`);
  return row?.subject;
}

const deletedAtOnceMax = 1_000;

/** Deletes what nobody can answer any more, a bounded number; true when there may be more. */
export async function deleteOldChallenges(database: Database): Promise<boolean> {
  const rows = await database.execute(sql`
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges
      where expires_at < now() and expires_at > '-infinity'
      order by expires_at limit ${deletedAtOnceMax})
    returning 1`);
  return rows.length === deletedAtOnceMax;
}
