import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** Master keys by their fingerprints. */
export interface VaultRow {
  readonly master_key: string;
  readonly retiring_key: string | null;
}

export interface SecretRow {
  readonly company_id: string;
  readonly key_id: string;
  readonly sealed: Buffer;
  readonly is_live: boolean;
}

export async function selectVault(database: Queryable): Promise<VaultRow | undefined> {
  const rows = await database.query<VaultRow>(sql`select master_key, retiring_key from vault`);
  return rows[0];
}

/** The first one decides, whoever comes at the same time. */
export async function insertVault(tx: Tx, masterKey: string): Promise<void> {
  await tx.query(sql`
    insert into vault (master_key) values (${masterKey}) on conflict (is_only) do nothing`);
}

/** Until the commit the master key stays what it is. */
export async function shareVault(tx: Tx): Promise<VaultRow | undefined> {
  const rows = await tx.query<VaultRow>(sql`
    select master_key, retiring_key from vault for share`);
  return rows[0];
}

/** Until the commit nothing else is sealed. */
export async function lockVault(tx: Tx): Promise<VaultRow | undefined> {
  const rows = await tx.query<VaultRow>(sql`
    select master_key, retiring_key from vault for update`);
  return rows[0];
}

export async function updateVault(tx: Tx, row: VaultRow): Promise<void> {
  await tx.query(sql`
    update vault set master_key = ${row.master_key}, retiring_key = ${row.retiring_key}, changed_at = now()`);
}

export async function selectPurposeKeys(
  tx: Tx,
): Promise<{ readonly purpose: string; readonly sealed: Buffer }[]> {
  return tx.query(sql`select purpose, sealed from purpose_keys order by purpose`);
}

export async function insertPurposeKey(tx: Tx, purpose: string, sealed: Buffer): Promise<void> {
  await tx.query(sql`
    insert into purpose_keys (purpose, sealed) values (${purpose}, ${sealed})
    on conflict (purpose) do nothing`);
}

export async function updatePurposeKey(tx: Tx, purpose: string, sealed: Buffer): Promise<void> {
  await tx.query(sql`update purpose_keys set sealed = ${sealed} where purpose = ${purpose}`);
}

const firstId = "00000000-0000-0000-0000-000000000000";

/** A page of the secrets that are good now, of all companies, for the operator. */
export async function selectLiveSecrets(
  database: Queryable,
  after: Pick<SecretRow, "company_id" | "key_id"> | undefined,
  limit: number,
): Promise<(SecretRow & { readonly name: string })[]> {
  return database.query(sql`
    select s.company_id, s.key_id, s.sealed, true as is_live, c.name
    from secret_keys s
    join companies c on c.company_id = s.company_id
    where (s.company_id, s.key_id) > (${after?.company_id ?? firstId}, ${after?.key_id ?? firstId})
      and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())
    order by s.company_id, s.key_id
    limit ${limit}`);
}

/** Every secret of a company, also those that ended; nobody else changes them until the commit. */
export async function lockSecrets(tx: Tx, companyId: string): Promise<SecretRow[]> {
  return tx.query<SecretRow>(sql`
    select company_id, key_id, sealed,
      revoked_at is null and (expires_at is null or expires_at > now()) as is_live
    from secret_keys where company_id = ${companyId} order by key_id for update`);
}

export async function updateSecret(
  tx: Tx,
  companyId: string,
  keyId: string,
  sealed: Buffer,
): Promise<void> {
  await tx.query(sql`
    update secret_keys set sealed = ${sealed} where company_id = ${companyId} and key_id = ${keyId}`);
}
