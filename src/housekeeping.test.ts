import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { test } from "../test/fixtures.ts";
import { holdChange, untilLockAwaited } from "../test/locks.ts";
import { patience } from "../test/receiver.ts";
import { sql } from "./database/sql.ts";
import { startHousekeeping } from "./housekeeping.ts";

test("housekeeping begins soon after the start, and a round that is held up is not joined by another", async ({
  db,
}) => {
  const { database } = db;
  const waiting = async () => {
    const rows = await database.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length;
  };
  const turns = async () => {
    const rows = await database.query<{ subject: string }>(sql`
      select subject from turns order by subject`);
    return rows.map(({ subject }) => subject);
  };
  expect(await turns()).toEqual([]);
  const release = await holdChange(db, "lock table turns in exclusive mode");
  const keeping = startHousekeeping(pino({ level: "silent" }), database, {
    firstAfterMs: 10,
    everyMs: 10,
  });
  onTestFinished(() => keeping.stop());
  await untilLockAwaited(database);
  // Thirty rounds would have begun in this time.
  for (let looks = 0; looks < 30; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await waiting()).toBe(1);
  }
  await release();
  await expect.poll(turns, patience).toEqual(["deliveries", "idempotency keys", "request_log"]);
  keeping.stop();
});
