import type { Database, Queryable, Tx, Writable } from "../database/database.ts";
import { findInParts } from "../database/parts.ts";
import { type Query, sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import type { Stretch } from "./lines-store.ts";
import type { Seal, SealedTrails } from "./seal.ts";

/** A seal as it is kept, with the key that opens it and when it was made. */
export interface KeptSeal extends Seal {
  readonly publicKey: string;
  readonly sealedAt: Date;
}

interface SealRow {
  readonly company_id: string;
  readonly day: string;
  readonly until: Date;
  readonly number: number;
  readonly balance: number;
  readonly hash: Buffer;
  readonly key_id: string;
  readonly signature: Buffer;
  readonly sealed_at: Date;
  readonly public_key: Buffer | null;
  readonly trail_number: number | null;
  readonly trail_hash: Buffer | null;
  readonly installation_number: number | null;
  readonly installation_hash: Buffer | null;
}

const columns = sql`s.company_id, s.day::text as day, s.until, s.number, s.balance, s.hash, s.key_id, s.signature,
  s.sealed_at, k.public_key, s.trail_number, s.trail_hash, s.installation_number, s.installation_hash`;

/** The first to come decides, whoever else seals the same day: false when it was sealed already. */
export async function insertSeal(tx: Tx, seal: Seal): Promise<boolean> {
  const { trails } = seal;
  const rows = await tx.query(sql`
    insert into seals as s (company_id, day, until, number, balance, hash, key_id, signature, trail_number, trail_hash,
      installation_number, installation_hash)
    select c.company_id, ${seal.day}::date, ${seal.until}, ${seal.number}, ${seal.balance}, ${seal.hash}, ${seal.keyId},
      ${seal.signature}, ${trails?.company.number ?? null}::bigint, ${trails?.company.hash ?? null}::bytea,
      ${trails?.installation.number ?? null}::bigint, ${trails?.installation.hash ?? null}::bytea
    from companies c where c.company_id = ${seal.companyId}
    on conflict do nothing
    returning s.day`);
  return rows.length > 0;
}

export async function publishSeal(tx: Tx, companyId: string, payload: string): Promise<void> {
  // All of a company's seals are events of one object, so that receivers hear of them in their order.
  await tx.query(sql`
    select publish_events(${companyId}, 'statements/sealed', array[${companyId}]::uuid[], array[${payload}]::text[])`);
}

/** Newest first, by their days. */
export async function selectSealPage(
  database: Queryable,
  companyId: string,
  { from, limit }: PageRequest,
): Promise<KeptSeal[]> {
  const place =
    from?.direction === "newer"
      ? sql`s.day > ${from.id}::date order by s.day`
      : sql`s.day < ${from?.id ?? "infinity"}::date order by s.day desc`;
  return selectSeals(database, sql`s.company_id = ${companyId} and ${place} limit ${limit + 1}`);
}

/** Of the days that ended with one of these postings, in their order. */
export async function selectSealsWithin(
  database: Queryable,
  companyId: string,
  { after, upto }: Stretch,
): Promise<KeptSeal[]> {
  return selectSeals(
    database,
    sql`s.company_id = ${companyId} and s.number > ${after} and s.number <= ${upto} order by s.number`,
  );
}

export async function selectLastSeal(
  database: Queryable,
  companyId: string,
): Promise<KeptSeal | undefined> {
  const found = await selectSeals(
    database,
    sql`s.company_id = ${companyId} order by s.day desc limit 1`,
  );
  return found[0];
}

async function selectSeals(database: Queryable, which: Query): Promise<KeptSeal[]> {
  const rows = await database.query<SealRow>(sql`
    select ${columns} from seals s left join ledger_keys k on k.id = s.key_id where ${which}`);
  return rows.map((row) => ({
    companyId: row.company_id,
    day: row.day,
    until: row.until,
    number: row.number,
    balance: row.balance,
    hash: row.hash,
    keyId: row.key_id,
    signature: row.signature,
    sealedAt: row.sealed_at,
    trails: trailsOf(row),
    publicKey: row.public_key?.toString("base64") ?? "",
  }));
}

/** All four are there, or none: a seal of a release before. */
function trailsOf(row: SealRow): SealedTrails | undefined {
  const { trail_number, trail_hash, installation_number, installation_hash } = row;
  if (trail_number === null || trail_hash === null) return undefined;
  if (installation_number === null || installation_hash === null) return undefined;
  return {
    company: { number: trail_number, hash: trail_hash },
    installation: { number: installation_number, hash: installation_hash },
  };
}

/** Where a company's chain begins, and what is to be sealed next. */
export interface Sealable {
  readonly company_id: string;
  readonly last_posting: number;
  readonly chained_after: number | null;
  readonly now: Date;
}

export async function selectSealable(
  database: Queryable,
  companyId: string,
): Promise<Sealable | undefined> {
  const rows = await database.query<Sealable>(sql`
    select company_id, last_posting, chained_after, clock_timestamp() as now from books
    where company_id = ${companyId}`);
  return rows[0];
}

/** From the commit on no posting has a time before this moment. It waits for whoever moves the company's money. */
export async function closeUntil(
  database: Writable,
  companyId: string,
  moment: Date,
): Promise<void> {
  await database.execute(sql`
    update books as b set posted_at = ${moment}
    where b.company_id = ${companyId} and b.posted_at < ${moment}`);
}

export async function updateSealed(
  tx: Tx,
  companyId: string,
  { sealedTo, sealAfter }: { readonly sealedTo: number; readonly sealAfter: Date },
): Promise<void> {
  await tx.query(sql`
    update statement_progress set sealed_to = ${sealedTo}, seal_after = ${sealAfter}
    where company_id = ${companyId}`);
}

/** Companies that may have a day to seal, or much to sum. A small table, looked through once a minute. */
export async function selectWaiting(
  database: Database,
  unsummedMax: number,
  limit: number,
): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select b.company_id from books b
      left join statement_progress s on s.company_id = b.company_id
      where b.company_id ${which} and ((b.last_posting > coalesce(s.sealed_to, 0) and b.chain is not null
          and coalesce(s.seal_after, '-infinity') <= now())
        or b.last_posting - coalesce(s.totalled_to, 0) >= ${unsummedMax})
      limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}
