import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Tx } from "./database.ts";

/** A lane stands still until the look succeeds, so the pauses do not grow. */
const lookEveryMs = 100;
/** A caller waits for this. When it takes longer, "unknown" is the better answer. */
const lookLimitMs = 10_000;

/**
 * Looks into the books after a connection broke, as soon as there is one again. Undefined when the
 * database did not come back in time.
 */
export async function lookAgain<Found>(
  database: Database,
  look: (tx: Tx) => Promise<Found>,
  limitMs = lookLimitMs,
): Promise<Found | undefined> {
  const limit = sleep(limitMs, undefined, { ref: false });
  return Promise.race([lookOften(database, look, performance.now() + limitMs), limit]);
}

async function lookOften<Found>(
  database: Database,
  look: (tx: Tx) => Promise<Found>,
  endMs: number,
): Promise<Found | undefined> {
  while (performance.now() < endMs) {
    try {
      return await database.transaction(look);
    } catch {
      await sleep(lookEveryMs, undefined, { ref: false });
    }
  }
  return undefined;
}
