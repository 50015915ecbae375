import { onTestFinished } from "vitest";
import { type DatabaseClock, giveDatabaseClock } from "../torture/clock/database-clock.ts";
import type { TestDatabase } from "./fixtures.ts";

/** Moves the clock on which everything of this test runs. */
export type SettableClock = Pick<DatabaseClock, "moveTo">;

/** Gives a database, and this process with the service in it, a clock that can be set, for this test. */
export async function giveClock({ url }: TestDatabase, start: Date): Promise<SettableClock> {
  const clock = await giveDatabaseClock(url, start);
  onTestFinished(() => clock.close());
  return clock;
}
