import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { selectSecondsBehind } from "./store.ts";

/** Each reading of the clock may be late by half a second, and two are compared. */
const jumpMsMin = 2_000;
/** A posting bears the millisecond of its commit; nothing makes it later but a clock that was set back. */
const behindSecondsMin = 1;

/**
 * Tells when the database's clock jumps, and when it is behind what was posted already. Both are harmless to the books, which are never
 * dated backwards; but nothing new gets a later time until the clock has caught up, so somebody has to look at that clock.
 */
export class ClockWatch {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #jumps;
  readonly #behind;
  #isBehind = false;

  constructor(database: Database, logger: Logger, metrics: Metrics) {
    this.#database = database;
    this.#logger = logger;
    this.#jumps = metrics.counter(
      "cauri_database_clock_jumps_total",
      "How often the database's clock was seen to jump by two seconds or more, by direction.",
      [{ direction: "back" }, { direction: "forward" }],
    );
    this.#behind = metrics.gauge(
      "cauri_database_clock_behind_seconds",
      "How far the database's clock is behind the newest posting; 0 is well.",
      "same",
    );
    this.#behind.set(0);
  }

  /** Handed to the DatabaseClock, which calls it once a minute. */
  readonly onSync = (movedMs: number): void => {
    if (Math.abs(movedMs) >= jumpMsMin) {
      const direction = movedMs < 0 ? "back" : "forward";
      this.#jumps.add({ direction });
      this.#logger.error(
        { direction, seconds: Math.abs(movedMs) / 1_000 },
        "the database's clock has jumped",
      );
    }
    void this.look().catch((error: unknown) =>
      this.#logger.warn(
        { err: error },
        "the database's clock could not be compared with the newest posting",
      ),
    );
  };

  /** Also finds what happened while no node was running. */
  async look(): Promise<void> {
    const seconds = await selectSecondsBehind(this.#database);
    const isBehind = seconds >= behindSecondsMin;
    this.#behind.set(isBehind ? seconds : 0);
    if (isBehind && !this.#isBehind)
      this.#logger.error({ seconds }, "the database's clock is behind the newest posting");
    this.#isBehind = isBehind;
  }
}
