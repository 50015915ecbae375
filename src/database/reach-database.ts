import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { DatabaseUnavailable, DatabaseUnreachable } from "./errors.ts";
import { sql } from "./sql.ts";

const tryEveryMs = 500;

/**
 * Waits until one of the servers can be used, and says what is in the way whenever that changes. Throws
 * DatabaseUnreachable when none could within the time, and at once what waiting would not mend, such as a wrong password.
 */
export async function reachDatabase(
  database: Database,
  waitMs: number,
  log: (message: string) => void,
): Promise<void> {
  const begunMs = performance.now();
  let told = "";
  for (;;) {
    try {
      await database.query(sql`select 1`);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      const { problems } = database.servers;
      const isOver = performance.now() - begunMs >= waitMs;
      if (isOver) throw new DatabaseUnreachable(problems, waitMs, { cause: error });
      const problem = problems.join("; ");
      if (problem !== told)
        log(`The database cannot be used yet: ${problem}. Trying for up to ${waitMs / 1_000} s.`);
      told = problem;
    }
    await sleep(tryEveryMs);
  }
}
