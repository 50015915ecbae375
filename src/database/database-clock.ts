import assert from "node:assert/strict";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Queryable } from "./database.ts";
import { sql } from "./sql.ts";

const syncEveryMs = 60_000;
/** The first answer waits for a connection, and is late by that. */
const askedAtStart = 3;
/** An answer that took longer than this says too little about the moment it was given. */
const roundTripMaxMs = 500;

export async function readDatabaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  assert(row !== undefined, "a select without a table has one row");
  return row.now;
}

export interface ClockOptions {
  readonly syncMs?: number;
  readonly onSync?: (movedMs: number) => void;
}

/**
 * The database's time, without asking it for every request: it is read once a minute, and the process's own
 * steady clock counts on from there. The wall clock of the machine, which anybody can set, decides nothing;
 * all nodes agree on the time as well as they agree on the database.
 */
export class DatabaseClock {
  readonly #database: Database;
  readonly #syncMs: number;
  readonly #onSync: (movedMs: number) => void;
  /** Add to performance.now(). Until the database was asked, the machine's word has to do. */
  #offsetMs = Date.now() - performance.now();
  #isSynced = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onSync` hears how far the database's clock has moved against the process's steady one since the last time. */
  constructor(database: Database, { syncMs = syncEveryMs, onSync = () => {} }: ClockOptions = {}) {
    this.#database = database;
    this.#syncMs = syncMs;
    this.#onSync = onSync;
  }

  readonly now: Clock = () => new Date(performance.now() + this.#offsetMs);

  async start(): Promise<void> {
    for (let asked = 0; asked < askedAtStart; asked += 1) await this.#sync();
    this.#timer = setInterval(() => void this.#sync(), this.#syncMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** While the database is away, the last offset is still good. */
  async #sync(): Promise<void> {
    const askedAt = performance.now();
    try {
      const now = await readDatabaseTime(this.#database);
      const answeredAt = performance.now();
      if (this.#isSynced && answeredAt - askedAt > roundTripMaxMs) return;
      // Behind the database by the way back of the answer, and so never ahead of what it writes later.
      const offsetMs = now.getTime() - answeredAt;
      const movedMs = this.#isSynced ? offsetMs - this.#offsetMs : 0;
      this.#offsetMs = offsetMs;
      this.#isSynced = true;
      this.#onSync(movedMs);
    } catch {}
  }
}
