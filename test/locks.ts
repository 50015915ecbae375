import pg from "pg";
import { expect, onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import type { TestDatabase } from "./fixtures.ts";

/** Locks what the statement selects until the answered function is called, and for half a minute at most. */
export async function holdLock({ url }: Pick<TestDatabase, "url">, select: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  // A test that failed would otherwise wait for ever for its service, which waits for this lock.
  await client.query("set idle_in_transaction_session_timeout = '30s'");
  await client.query("begin");
  await client.query(`${select} for update`);
  return async () => {
    await client.query("rollback");
  };
}

/** Changes something, and commits it only when the answered function is called. */
export async function holdChange({ url }: Pick<TestDatabase, "url">, change: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("set idle_in_transaction_session_timeout = '30s'");
  await client.query("begin");
  await client.query(change);
  return async () => {
    await client.query("commit");
  };
}

/** Until somebody, or so many, wait for a lock in this database. */
export async function untilLockAwaited(database: Database, waiters = 1): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await database.query(waiting)).length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThanOrEqual(waiters);
}
