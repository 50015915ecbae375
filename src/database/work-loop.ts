import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, Tx } from "./database.ts";
import { claimWork, discoverWork, postponeWork, type Queue, releaseWork } from "./work.ts";

export interface WorkLoopOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly queue: Queue;
  /** Companies worked on at the same time. */
  readonly concurrency: number;
  readonly pollMs: number;
  /** Does a bounded part of a company's work, well within the time of a lease. */
  readonly work: (companyId: string) => Promise<void>;
  /** In how many milliseconds there is more to do; undefined when nothing is left. */
  readonly nextDueMs: (tx: Tx, companyId: string) => Promise<number | undefined>;
}

const errorDelayMs = 1_000;
/** Hints come as often as requests; looking for work more often than this finds nothing more. */
const lookPauseMs = 10;

/**
 * Finds companies with work, claims them and works on them, side by side with any number of other nodes.
 * Woken by hints; without one it looks every `pollMs`, because hints can be lost.
 */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  #isStopped = false;
  #isWoken = false;
  #wakeSleeper: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#wakeSleeper?.();
  }

  /** Finishes what is in hand, then ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wakeSleeper?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      try {
        const companyIds = await discoverWork(this.#options.database, this.#options.queue);
        await this.#workOnAll(companyIds);
        if (companyIds.length === 0) {
          await sleep(lookPauseMs);
          await this.#sleep(this.#options.pollMs);
        }
      } catch (error) {
        this.#options.logger.warn(
          { err: error, queue: this.#options.queue },
          "looking for work failed; trying again",
        );
        await this.#sleep(errorDelayMs);
      }
    }
  }

  async #workOnAll(companyIds: readonly string[]): Promise<void> {
    const waiting = [...companyIds];
    const lanes = Array.from({ length: this.#options.concurrency }, async () => {
      for (let id = waiting.shift(); id !== undefined && !this.#isStopped; id = waiting.shift()) {
        await this.#workOn(id);
      }
    });
    await Promise.all(lanes);
  }

  async #workOn(companyId: string): Promise<void> {
    const { database, queue, work, nextDueMs, logger } = this.#options;
    const leaseId = await claimWork(database, queue, companyId);
    if (leaseId === undefined) return;
    try {
      await work(companyId);
    } catch (error) {
      logger.error({ err: error, queue, companyId }, "work failed; it will be tried again");
      // If the database is away this fails too, and the lease runs out by itself.
      await postponeWork(database, queue, companyId, leaseId, errorDelayMs).catch(() => {});
      return;
    }
    await releaseWork(database, queue, companyId, leaseId, async (tx) => {
      const dueMs = await nextDueMs(tx, companyId);
      if (dueMs !== undefined && dueMs > 0 && dueMs < this.#options.pollMs) {
        setTimeout(() => this.wake(), dueMs).unref();
      }
      return dueMs;
    });
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopped || this.#isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeSleeper = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeSleeper = undefined;
  }
}
