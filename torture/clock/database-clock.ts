import pg from "pg";
import { shiftDate } from "./shift-date.ts";

/** Moves the clock on which a database and this process run; back as well, as a machine's clock that was set wrong. */
export interface DatabaseClock {
  moveTo(moment: Date): Promise<void>;
  /** This process has its own clock again. The database keeps the last one. */
  close(): Promise<void>;
}

/**
 * Gives a database, and this process with the service in it, a clock that can be set: what is posted, numbered, sealed
 * and judged then happens at that time, by the same functions and triggers as ever. PostgreSQL has the clock's names
 * looked up in a schema of the test's own before its own. To be called before the database is used; a database that has such a clock
 * already goes on with it.
 */
export async function giveDatabaseClock(url: string, start: Date): Promise<DatabaseClock> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const realDate = Date;
  let offsetMs = 0;
  const moveTo = async (moment: Date) => {
    offsetMs = moment.getTime() - realDate.now();
    await client.query("update clock.shift set by = make_interval(secs => $1)", [offsetMs / 1_000]);
  };
  const [row] = (await client.query("select current_database() as name")).rows as [
    { name: string },
  ];
  await client.query(`
    create schema if not exists clock;
    create table if not exists clock.shift (by interval not null);
    insert into clock.shift select '0' where not exists (select from clock.shift);
    create or replace function clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + s.by from clock.shift s';
    create or replace function clock.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + s.by from clock.shift s';
    alter database ${row.name} set search_path = clock, pg_catalog, public;
    set search_path = clock, pg_catalog, public`);
  // Defaults were bound to the other clock when their tables were made.
  const defaults = await client.query<{ set: string }>(`
    select format('alter table public.%I alter column %I set default %s', table_name, column_name, column_default) as set
    from information_schema.columns
    where table_schema = 'public' and column_default ~ '(now|clock_timestamp)\\(\\)'`);
  for (const { set } of defaults.rows) await client.query(set.replaceAll("pg_catalog.", ""));
  await moveTo(start);
  const restore = shiftDate(() => offsetMs);
  return {
    moveTo,
    close: async () => {
      restore();
      await client.end();
    },
  };
}
