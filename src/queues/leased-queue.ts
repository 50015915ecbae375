import { randomUUID } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { claimWork, postponeWork, releaseWork, renewLease, selectReady } from "./store.ts";
import type { WorkSource } from "./work-source.ts";

export interface LeasedQueueOptions {
  readonly database: Database;
  /** The queue's name in the table `work`: where the folder whose work it is marks its companies. */
  readonly queue: string;
  readonly leaseMs: number;
  /** Does a bounded part of a company's work. */
  readonly work: (companyId: string, mayGoOn: () => boolean) => Promise<void>;
  /** In how many milliseconds there is more to do; undefined when nothing is left. */
  readonly nextDueMs: (tx: Tx, companyId: string) => Promise<number | undefined>;
}

const leaseMinMs = 30_000;
const renewRetryMs = 200;
const failureDelayMs = 1_000;

/**
 * A lease outlasts the longest statement, so that a turn that waits for a lock is not taken for dead. It is
 * renewed while work goes on: its length is what the sudden death of a node costs its companies.
 */
export function leaseMsFor(statementTimeoutMs: number): number {
  return Math.max(leaseMinMs, 2 * statementTimeoutMs);
}

/**
 * A queue in the table `work`: one row per company, which a worker holds by a lease during the company's turn.
 *
 * The lease keeps two nodes from doing the same work side by side; it does not make sure of anything. A worker
 * whose lease ran out may still be at work, so what it writes has to find out by itself, in its own
 * transaction, that another was there before it.
 */
export class LeasedQueue implements WorkSource {
  readonly #options: LeasedQueueOptions;
  /**
   * One name for all leases of this queue in this process. A claim whose answer was lost, or a lease that could
   * not be given back, is simply claimed again by its own holder: nobody has to wait until it has run out.
   */
  readonly #holderId = randomUUID();

  constructor(options: LeasedQueueOptions) {
    this.#options = options;
  }

  find(limit: number): Promise<readonly string[]> {
    const { database, queue } = this.#options;
    return selectReady(database, queue, this.#holderId, limit);
  }

  async work(companyId: string, mayGoOn: () => boolean): Promise<number | undefined> {
    const { database, queue, leaseMs, work, nextDueMs } = this.#options;
    const claimedAtMs = performance.now();
    if (!(await claimWork(database, queue, companyId, this.#holderId, leaseMs))) return undefined;
    const lease = new Lease(leaseMs, claimedAtMs, () =>
      renewLease(database, queue, companyId, this.#holderId, leaseMs),
    );
    try {
      await work(companyId, () => mayGoOn() && lease.isHeld);
      return await releaseWork(database, queue, companyId, this.#holderId, nextDueMs);
    } catch (error) {
      // When this fails too, the lease stays ours: the next turn takes it up again.
      await postponeWork(database, queue, companyId, this.#holderId, failureDelayMs).catch(
        () => {},
      );
      throw error;
    } finally {
      lease.end();
    }
  }
}

/** Renews itself after each third of its length, and soon after a renewal that failed, until it is ended. */
class Lease {
  readonly #lengthMs: number;
  readonly #renew: () => Promise<boolean>;
  #heldSinceMs: number;
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(lengthMs: number, heldSinceMs: number, renew: () => Promise<boolean>) {
    this.#lengthMs = lengthMs;
    this.#heldSinceMs = heldSinceMs;
    this.#renew = renew;
    this.#renewIn(lengthMs / 3);
  }

  /** False from the moment on at which another worker may have taken it. */
  get isHeld(): boolean {
    return performance.now() - this.#heldSinceMs < this.#lengthMs;
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #renewIn(ms: number): void {
    this.#timer = setTimeout(() => void this.#renewNow(), ms);
  }

  async #renewNow(): Promise<void> {
    const askedAtMs = performance.now();
    const isRenewed = await this.#renew().catch(() => false);
    if (isRenewed) this.#heldSinceMs = askedAtMs;
    if (this.#isEnded || !this.isHeld) return;
    this.#renewIn(isRenewed ? this.#lengthMs / 3 : renewRetryMs);
  }
}
