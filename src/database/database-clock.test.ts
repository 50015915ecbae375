import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import type { Database } from "./database.ts";
import { DatabaseClock, readDatabaseTime } from "./database-clock.ts";

const hourMs = 3_600_000;

interface Offset {
  offsetMs: number | undefined;
  asked: number;
}

/** A database whose clock is off by so much, or that is away. */
function databaseOff(database: Database, by: Offset): Database {
  const query = async () => {
    const { offsetMs } = by;
    by.asked += 1;
    if (offsetMs === undefined) throw new Error("away");
    return [{ now: new Date((await readDatabaseTime(database)).getTime() + offsetMs) }];
  };
  return { query } as unknown as Database;
}

test("it tells the database's time and not the machine's, follows it, and goes on while it is away", async ({
  db,
}) => {
  const by: Offset = { offsetMs: -5 * hourMs, asked: 0 };
  const clock = new DatabaseClock(databaseOff(db.database, by), { syncMs: 20 });
  onTestFinished(() => clock.stop());
  const offsetHours = () => Math.round((clock.now().getTime() - Date.now()) / hourMs);
  await clock.start();
  expect(offsetHours()).toBe(-5);

  by.offsetMs = 3 * hourMs;
  await expect.poll(offsetHours, patience).toBe(3);

  by.offsetMs = undefined;
  const before = clock.now().getTime();
  const asked = by.asked;
  await expect.poll(() => by.asked - asked, patience).toBeGreaterThan(2);
  expect(offsetHours()).toBe(3);
  expect(clock.now().getTime()).toBeGreaterThan(before);
});
