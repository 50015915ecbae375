import type { Database, Queryable } from "./database.ts";
import { DatabaseNotEmpty, UnfinishedRestore } from "./errors.ts";
import { migrationLock } from "./migrate.ts";
import { sql } from "./sql.ts";

/**
 * Takes an empty database for a restore. Its mark is a table: while that is there, neither the service nor a command
 * opens the database, so what a restore that was killed has left is never taken for the books.
 */
export async function beginRestore(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // Whoever starts a service on the same database at the same moment comes before, and is seen, or after, and is refused.
    await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
    await refuseUnfinished(tx);
    const there = await tx.query<{ name: string }>(sql`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname limit 1`);
    if (there[0] !== undefined) throw new DatabaseNotEmpty(there[0].name, await isServed(tx));
    await tx.query(
      sql`create table unfinished_restore (begun_at timestamptz not null default now())`,
    );
  });
}

export async function finishRestore(database: Database): Promise<void> {
  await database.transaction((tx) => tx.query(sql`drop table unfinished_restore`));
}

/** Throws UnfinishedRestore. */
export async function refuseUnfinished(database: Queryable): Promise<void> {
  const rows = await database.query<{ is_there: boolean }>(sql`
    select to_regclass('public.unfinished_restore') is not null as is_there`);
  if (rows[0]?.is_there === true) throw new UnfinishedRestore();
}

/** Whether another program of ours is connected. */
export async function isServed(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'cauri:%'
      and application_name <> current_setting('application_name')
    limit 1`);
  return rows.length > 0;
}
