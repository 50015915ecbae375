import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface KeyRow {
  readonly key_id: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

export async function insertKey(
  tx: Tx,
  companyId: string,
  keyId: string,
  tokenHash: Buffer,
  sealedSecret: Buffer,
): Promise<void> {
  await tx.query(sql`
    insert into access_tokens (token_hash, company_id, key_id)
    values (${tokenHash}, ${companyId}, ${keyId})`);
  await tx.query(sql`
    insert into secret_keys (company_id, key_id, sealed) values (${companyId}, ${keyId}, ${sealedSecret})`);
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

export async function revokeKeyRows(tx: Tx, companyId: string, keyId: string): Promise<void> {
  await tx.query(sql`
    update access_tokens set revoked_at = now()
    where company_id = ${companyId} and key_id = ${keyId} and revoked_at is null`);
  await tx.query(sql`
    update secret_keys set revoked_at = now()
    where company_id = ${companyId} and key_id = ${keyId} and revoked_at is null`);
}

export async function selectKeys(database: Queryable, companyId: string): Promise<KeyRow[]> {
  return database.query<KeyRow>(sql`
    select key_id, created_at, expires_at, revoked_at
    from access_tokens where company_id = ${companyId} order by key_id`);
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

/** The secrets that are good now, newest first. */
export async function selectSealedSecrets(
  database: Queryable,
  companyId: string,
): Promise<Buffer[]> {
  const rows = await database.query<{ sealed: Buffer }>(sql`
    select sealed from secret_keys
    where company_id = ${companyId} and revoked_at is null and (expires_at is null or expires_at > now())
    order by key_id desc`);
  return rows.map(({ sealed }) => sealed);
}
