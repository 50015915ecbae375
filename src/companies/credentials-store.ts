import type { Queryable, Tx, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface KeyRow {
  readonly key_id: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly name: string | null;
  /** Within some minutes; null: not since this is kept. */
  readonly used_at: Date | null;
}

export async function insertKey(
  tx: Tx,
  companyId: string,
  keyId: string,
  tokenHash: Buffer,
  sealedSecret: Buffer,
  createdAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into access_tokens (token_hash, company_id, key_id, created_at)
    values (${tokenHash}, ${companyId}, ${keyId}, ${createdAt})`);
  await tx.query(sql`
    insert into secret_keys (company_id, key_id, sealed, created_at)
    values (${companyId}, ${keyId}, ${sealedSecret}, ${createdAt})`);
}

/**
 * A moment that stands between the company's transfers, under the lock of its books: the id of each one accepted before has an
 * earlier time in it, and that of each one accepted after none that is earlier, also when the database's clock goes back. By it is
 * known later which keys a transfer could have come by. Undefined: there is no such company.
 */
export async function markTransfers(tx: Tx, companyId: string): Promise<Date | undefined> {
  const [books] = await tx.query<{ ms: number }>(sql`
    select greatest(last_ms + 1, (extract(epoch from greatest(posted_at, clock_timestamp())) * 1000)::bigint) as ms
    from books where company_id = ${companyId} for update`);
  if (books === undefined) return undefined;
  await tx.query(sql`
    update books set last_count = 0, last_ms = ${books.ms} where company_id = ${companyId}`);
  return new Date(books.ms);
}

export async function countGoodKeys(tx: Tx, companyId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`
    select count(*) as count from secret_keys
    where company_id = ${companyId} and revoked_at is null and (expires_at is null or expires_at > now())`);
  return rows[0]?.count ?? 0;
}

/** Sets an end to all of a company's keys; a key that ends sooner keeps its own end. */
export async function expireKeys(tx: Tx, companyId: string, overlapSeconds: number): Promise<void> {
  await tx.query(sql`
    update access_tokens set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where company_id = ${companyId} and revoked_at is null
      and (expires_at is null or expires_at > now() + make_interval(secs => ${overlapSeconds}))`);
  await tx.query(sql`
    update secret_keys set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where company_id = ${companyId} and revoked_at is null
      and (expires_at is null or expires_at > now() + make_interval(secs => ${overlapSeconds}))`);
}

export async function revokeKeyRows(
  tx: Tx,
  companyId: string,
  keyId: string,
  revokedAt: Date,
): Promise<void> {
  await tx.query(sql`
    update access_tokens set revoked_at = ${revokedAt}
    where company_id = ${companyId} and key_id = ${keyId} and revoked_at is null`);
  await tx.query(sql`
    update secret_keys set revoked_at = ${revokedAt}
    where company_id = ${companyId} and key_id = ${keyId} and revoked_at is null`);
}

export async function selectKeys(database: Queryable, companyId: string): Promise<KeyRow[]> {
  const keys = await database.query<Omit<KeyRow, "name" | "used_at">>(sql`
    select key_id, created_at, expires_at, revoked_at
    from access_tokens where company_id = ${companyId} order by key_id`);
  // Tokens are on every node, these on the company's.
  const details = await database.query<Pick<KeyRow, "key_id" | "name" | "used_at">>(sql`
    select key_id, name, used_at from key_details where company_id = ${companyId}`);
  const known = new Map(details.map((row) => [row.key_id, row]));
  return keys.map((key) => ({
    ...key,
    name: known.get(key.key_id)?.name ?? null,
    used_at: known.get(key.key_id)?.used_at ?? null,
  }));
}

/** What a new key is called, and whose place among the signatures it takes. */
export async function insertKeyDetails(
  tx: Tx,
  companyId: string,
  keyId: string,
  { name, replaces }: { readonly name: string | null; readonly replaces: string | null },
): Promise<void> {
  const [before] = await tx.query<{ seat: string | null }>(sql`
    select seat from key_details where company_id = ${companyId} and key_id = ${replaces}`);
  await tx.query(sql`
    insert into key_details (company_id, key_id, name, seat)
    values (${companyId}, ${keyId}, ${name}, ${before?.seat ?? replaces})`);
}

/** When keys were used, unless that is known to within `apartMs` already. */
export async function noteKeyUses(
  database: Writable,
  companyId: string,
  uses: readonly { readonly keyId: string; readonly at: Date }[],
  apartMs: number,
): Promise<void> {
  // Worked out before: a database that is split refuses arithmetic with times where it writes.
  const latestMs = Math.max(...uses.map(({ at }) => at.getTime()));
  await database.execute(sql`
    insert into key_details as d (company_id, key_id, used_at)
    select c.company_id, x.key_id, x.used_at
    from companies c, unnest(${uses.map(({ keyId }) => keyId)}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[])
      as x(key_id, used_at)
    where c.company_id = ${companyId}
    on conflict (company_id, key_id) do update set used_at = excluded.used_at
    where d.used_at is null or d.used_at < ${new Date(latestMs - apartMs)} and d.used_at < excluded.used_at`);
}

/** Sets an end to one key; one that ends sooner keeps its own. */
export async function expireKey(
  tx: Tx,
  companyId: string,
  keyId: string,
  endsAt: Date,
): Promise<void> {
  await tx.query(sql`
    update access_tokens set expires_at = ${endsAt}
    where company_id = ${companyId} and key_id = ${keyId} and (expires_at is null or expires_at > ${endsAt})`);
  await tx.query(sql`
    update secret_keys set expires_at = ${endsAt}
    where company_id = ${companyId} and key_id = ${keyId} and (expires_at is null or expires_at > ${endsAt})`);
}

/** The token behind a key id. Reference group: the operator knows the key, not always the company. */
export async function selectTokenHash(
  database: Queryable,
  keyId: string,
): Promise<{ readonly token_hash: Buffer; readonly company_id: string } | undefined> {
  const rows = await database.query<{ token_hash: Buffer; company_id: string }>(sql`
    select token_hash, company_id from access_tokens where key_id = ${keyId}`);
  return rows[0];
}

interface TokenRow {
  readonly company_id: string;
  readonly key_id: string;
  readonly ends_in_ms: number | null;
}

/** The company a token speaks for now, and how long it may; undefined once it ended. */
export async function selectTokenCompany(
  database: Queryable,
  tokenHash: Buffer,
): Promise<TokenRow | undefined> {
  const rows = await database.query<TokenRow>(sql`
    select company_id, key_id, (extract(epoch from expires_at - now()) * 1000)::float8 as ends_in_ms
    from access_tokens
    where token_hash = ${tokenHash} and revoked_at is null and (expires_at is null or expires_at > now())`);
  return rows[0];
}

/** The secrets that are good now. First the one that signs where there is room for one signature: see key_details. */
export async function selectSealedSecrets(
  database: Queryable,
  companyId: string,
): Promise<Buffer[]> {
  const rows = await database.query<{ sealed: Buffer }>(sql`
    select s.sealed from secret_keys s
    left join key_details d on d.company_id = ${companyId} and d.key_id = s.key_id
    where s.company_id = ${companyId} and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())
    order by s.expires_at desc nulls first, coalesce(d.seat, s.key_id), s.key_id desc`);
  return rows.map(({ sealed }) => sealed);
}

/** The newest secrets, also those that are good no more, by key. */
export async function selectAllSecrets(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<{ readonly key_id: string; readonly sealed: Buffer }[]> {
  return database.query(sql`
    select key_id, sealed from secret_keys where company_id = ${companyId} order by key_id desc limit ${limit}`);
}
