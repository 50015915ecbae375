import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const deletedAtOnceMax = 1_000;

/** Whether a code of this phone was once used in this browser. */
export async function isKnownBrowser(
  database: Queryable,
  msisdn: string,
  browser: Buffer,
): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from known_browsers where msisdn = ${msisdn} and browser_hash = ${browser}`);
  return rows.length === 1;
}

export async function noteKnownBrowser(tx: Tx, msisdn: string, browser: Buffer): Promise<void> {
  await tx.query(sql`
    insert into known_browsers as b (msisdn, browser_hash, proved_at) values (${msisdn}, ${browser}, now())
    on conflict (msisdn, browser_hash) do update set proved_at = excluded.proved_at`);
}

/** Deletes browsers in which no code was used for half a year, a bounded number; true when there may be more. */
export async function deleteOldBrowsers(database: Database): Promise<boolean> {
  const deleted = await database.execute(sql`
    delete from known_browsers where (msisdn, browser_hash) in (
      select msisdn, browser_hash from known_browsers
      where proved_at < now() - interval '180 days' and proved_at > '-infinity'
      order by proved_at limit ${deletedAtOnceMax})
    returning msisdn`);
  return deleted.length === deletedAtOnceMax;
}
