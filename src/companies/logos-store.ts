import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Logo, LogoState, LogoType } from "./logo.ts";

/** Where companies with logos to fetch are marked in the table `work`. */
export const logoQueue = "logos";

export async function selectLogo(
  database: Queryable,
  companyId: string,
  urlHash: Buffer,
): Promise<Logo | undefined> {
  const rows = await database.query<{ type: LogoType; bytes: Buffer }>(sql`
    select type, bytes from logos
    where company_id = ${companyId} and url_hash = ${urlHash} and bytes is not null`);
  return rows[0];
}

/** Of those that are known here, by URL; their pictures are not read. */
export async function selectLogoStates(
  database: Queryable,
  companyId: string,
  urlHashes: readonly Buffer[],
): Promise<Map<string, LogoState>> {
  const rows = await database.query<LogoState & { readonly url: string }>(sql`
    select l.* from unnest(${urlHashes}::bytea[]) as x(hash)
    cross join lateral (
      select i.url, i.status, coalesce(octet_length(i.bytes), 0) as size from logos i
      where i.company_id = ${companyId} and i.url_hash = x.hash limit 1
    ) as l`);
  return new Map(rows.map(({ url, status, size }) => [url, { status, size }]));
}

/** True when there is something to fetch now that was not waiting before. */
export async function queueLogo(
  tx: Tx,
  companyId: string,
  urlHash: Buffer,
  url: string,
): Promise<boolean> {
  await tx.query(sql`
    update logos set former_since = null
    where company_id = ${companyId} and url_hash = ${urlHash} and former_since is not null`);
  const rows = await tx.query(sql`
    insert into logos as l (company_id, url_hash, url)
    select c.company_id, ${urlHash}, ${url} from companies c where c.company_id = ${companyId}
    on conflict (company_id, url_hash) do update set
      status = excluded.status, tries = excluded.tries, next_try_at = excluded.next_try_at,
      updated_at = excluded.updated_at
      where l.status = 'failed'
    returning l.url_hash`);
  return rows.length > 0;
}

/** Notes that no sub-company names this logo, if that is so. */
export async function markFormer(
  tx: Tx,
  companyId: string,
  urlHash: Buffer,
  url: string,
): Promise<void> {
  const names = await tx.query(sql`
    select 1 from sub_companies
    where company_id = ${companyId} and md5(logo_url) = md5(${url}) and logo_url = ${url} limit 1`);
  if (names.length > 0) return;
  await tx.query(sql`
    update logos set former_since = now() where company_id = ${companyId} and url_hash = ${urlHash}`);
}

/** Deletes former logos, except the newest `kept`. */
export async function deleteFormerLogos(tx: Tx, companyId: string, kept: number): Promise<void> {
  const rows = await tx.query<{ url_hash: Buffer }>(sql`
    select url_hash from logos where company_id = ${companyId} and former_since is not null
    order by former_since desc offset ${kept}`);
  const hashes = rows.map(({ url_hash }) => url_hash);
  await tx.query(sql`
    delete from logos where company_id = ${companyId} and url_hash = any(${hashes}::bytea[])`);
}

export async function markLogoWork(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`
    insert into work as w (company_id, queue, ready_at) values (${companyId}, ${logoQueue}, now())
    on conflict (company_id, queue) do update set ready_at = least(w.ready_at, excluded.ready_at)`);
}

export interface WaitingLogo {
  readonly url_hash: Buffer;
  readonly url: string;
  readonly tries: number;
}

export async function selectDueLogos(
  database: Database,
  companyId: string,
  limit: number,
): Promise<WaitingLogo[]> {
  return database.query<WaitingLogo>(sql`
    select url_hash, url, tries from logos
    where company_id = ${companyId} and status = 'waiting' and next_try_at <= now()
    order by next_try_at
    limit ${limit}`);
}

/**
 * Keeps a logo that still waits. A worker whose lease ran out may come late: then another one has ended the wait, and
 * nothing changes. The same holds for the two functions below.
 */
export async function keepLogo(
  database: Database,
  companyId: string,
  urlHash: Buffer,
  logo: Logo,
): Promise<void> {
  await database.execute(sql`
    update logos set status = 'fetched', type = ${logo.type}, bytes = ${logo.bytes}, problem = null,
      tries = tries + 1, updated_at = now()
    where company_id = ${companyId} and url_hash = ${urlHash} and status = 'waiting'`);
}

export async function postponeLogo(
  database: Database,
  companyId: string,
  { url_hash, tries }: WaitingLogo,
  problem: string,
  delaySeconds: number,
): Promise<void> {
  await database.execute(sql`
    update logos set tries = tries + 1, problem = ${problem}, updated_at = now(),
      next_try_at = now() + make_interval(secs => ${delaySeconds})
    where company_id = ${companyId} and url_hash = ${url_hash} and status = 'waiting' and tries = ${tries}`);
}

export async function giveLogoUp(
  database: Database,
  companyId: string,
  { url_hash, tries }: WaitingLogo,
  problem: string,
): Promise<void> {
  await database.execute(sql`
    update logos set status = 'failed', tries = tries + 1, problem = ${problem}, updated_at = now()
    where company_id = ${companyId} and url_hash = ${url_hash} and status = 'waiting' and tries = ${tries}`);
}

/** In how many milliseconds the next logo is due; undefined when none waits. */
export async function selectNextLogoMs(tx: Tx, companyId: string): Promise<number | undefined> {
  const rows = await tx.query<{ due_ms: number }>(sql`
    select greatest(0, extract(epoch from next_try_at - now()) * 1000)::float8 as due_ms from logos
    where company_id = ${companyId} and status = 'waiting'
    order by next_try_at
    limit 1`);
  return rows[0]?.due_ms;
}
