import type { Database } from "../database/database.ts";
import type { Gauge } from "../kernel/metrics.ts";
import { selectLastEvents } from "./events-store.ts";

/** One question for all who wait, so that it may be asked often. */
const lookEveryMs = 250;

interface Wait {
  readonly companyId: string;
  readonly after: number;
  readonly end: () => void;
}

/**
 * Who waits for something to happen to a company. All of a node's waiters share one look into the database at a time, and
 * none looks while nobody waits. What decides is the read that follows: a wait that ends for nothing costs an empty answer.
 */
export class EventWaits {
  readonly #database: Database;
  readonly #count: Gauge;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, count: Gauge) {
    this.#database = database;
    this.#count = count;
    count.set(0);
  }

  /** Resolves when an event after `after` has happened, the time is over, or `signal` says that nobody waits any more. */
  async until(companyId: string, after: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#waits.delete(wait);
        this.#count.set(this.#waits.size);
        resolve();
      };
      const wait = { companyId, after, end };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#waits.add(wait);
      this.#count.set(this.#waits.size);
      this.#lookLater();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends all of them: a node that stops answers everybody first. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { end } of this.#waits) end();
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#waits.size === 0 || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.#look().finally(() => {
        this.#timer = undefined;
        this.#lookLater();
      });
    }, lookEveryMs);
  }

  async #look(): Promise<void> {
    const companyIds = new Set(Array.from(this.#waits, ({ companyId }) => companyId));
    // A look that fails is one that found nothing: whoever waits asks again in the end, and is told what is wrong.
    const rows = await selectLastEvents(this.#database, [...companyIds]).catch(() => []);
    const lasts = new Map(rows.map(({ company_id, last_event }) => [company_id, last_event]));
    for (const { companyId, after, end } of this.#waits) {
      if ((lasts.get(companyId) ?? 0) > after) end();
    }
  }
}
