import { setTimeout as sleep } from "node:timers/promises";
import { sqlState } from "./errors.ts";

const lockNotAvailable = "55P03";
/** Requests queue up behind whoever waits to have a table alone. */
const waitMs = 200;
const pauseMs = 2_000;
const triesMax = 30;

/**
 * Has a table alone for a moment, between the requests: gives up after a short wait, lets them pass and tries again, for
 * about a minute. Throws what the last one threw.
 */
export async function insist<Result>(work: (waitMs: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(waitMs);
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || attempt === triesMax) throw error;
    }
    await sleep(pauseMs);
  }
}
