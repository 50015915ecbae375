import { setTimeout as sleep } from "node:timers/promises";
import { isDeadlock, isOutdatedStatement } from "./errors.ts";

const attemptsMax = 5;
/** At most, before the second attempt; for each further one as much more. */
const pauseMaxMs = 50;

/**
 * Runs again what PostgreSQL has undone as a whole for no fault of its own: the loser of transactions that waited for each
 * other, and what a statement that a migration has outdated was part of, from then on as if nothing had ever been prepared.
 */
export async function runAgain<Result>(
  run: (mayPrepare: boolean) => Promise<Result>,
): Promise<Result> {
  let mayPrepare = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(mayPrepare);
    } catch (error) {
      const isOutdated = mayPrepare && isOutdatedStatement(error);
      if (attempt === attemptsMax || !(isOutdated || isDeadlock(error))) throw error;
      if (isOutdated) mayPrepare = false;
      // Whoever was let pass has first to wake up, or both would meet again.
      else await sleep(Math.random() * pauseMaxMs * attempt);
    }
  }
}
