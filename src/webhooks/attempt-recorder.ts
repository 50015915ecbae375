import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailable, OutcomeUnknown, sqlState } from "../database/errors.ts";
import { type Recordable, recordAttempts, recordTold } from "./dispatch-store.ts";
import type { Claim } from "./held.ts";

export interface AttemptRecorderOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly companyId: string;
  /** Lets nothing else of the company's deliveries run at the same time. */
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Called with what is on disk; `isDue`: something that is written down may be due. */
  readonly onWritten: (written: readonly Recordable[], isDue: boolean) => void;
}

const setMax = 500;
/** Outcomes that come within this time are written together. Nobody waits for it but the next event of the same object. */
const gatherMs = 20;
const retryMs = 200;
const lockNotAvailable = "55P03";

/**
 * Writes down what came of a company's deliveries, in sets: those that come within a moment, or while a set is being
 * written, go together. One flush to disk for all of them.
 *
 * A set that cannot be written because the database is away is written when it is back. Writing the same set twice
 * does nothing the second time, so an answer that was lost does no harm.
 */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  #waiting: Recordable[] = [];
  #running: Promise<void> | undefined;
  /** Aborted when nothing is gathered any more. */
  readonly #hurry = new AbortController();
  #givesUp = false;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  record(recordable: Recordable): void {
    this.#waiting.push(recordable);
    this.#running ??= this.#run();
  }

  /** Outcomes not on disk yet. */
  get backlog(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Resolves when everything is on disk. */
  async drain(): Promise<void> {
    this.#hurry.abort();
    await this.#running;
  }

  /** From now on a set that cannot be written is left: its claims run out, and it is told again. */
  giveUp(): void {
    this.#givesUp = true;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < setMax) await this.#gather();
      await this.#writeUntilWritten(this.#takeSet());
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    await sleep(gatherMs, undefined, { signal: this.#hurry.signal }).catch(() => {});
  }

  /** No delivery twice: one that was claimed again by this very node may have two outcomes. */
  #takeSet(): Recordable[] {
    const set = new Map<string, Recordable>();
    const left: Recordable[] = [];
    for (const recordable of this.#waiting) {
      const { listener, eventNumber } = recordable.held;
      const key = `${listener.webhookId} ${eventNumber}`;
      if (set.size >= setMax || set.has(key)) left.push(recordable);
      else set.set(key, recordable);
    }
    this.#waiting = left;
    return [...set.values()];
  }

  async #writeUntilWritten(set: readonly Recordable[]): Promise<void> {
    const { logger, companyId } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#write(set);
        return;
      } catch (error) {
        const isPassing = isAway(error) && !this.#givesUp;
        if (tries === 1 || !isPassing)
          logger[isPassing ? "warn" : "error"](
            { err: error, companyId },
            isPassing
              ? "outcomes of deliveries could not be written; trying until it works"
              : "outcomes of deliveries could not be written; what stays unwritten will be told again",
          );
        if (!isPassing) return this.#writeApart(set);
        await sleep(retryMs);
      }
    }
  }

  /** Finds the one that cannot be written, so that the others are. */
  async #writeApart(set: readonly Recordable[]): Promise<void> {
    const half = set.length >> 1;
    if (half === 0 || this.#givesUp) return this.#onWritten(set, false);
    await this.#writeUntilWritten(set.slice(0, half));
    await this.#writeUntilWritten(set.slice(half));
  }

  async #write(set: readonly Recordable[]): Promise<void> {
    const { database, companyId, exclusively } = this.#options;
    const finished = finishedBy(set);
    const isTold = ({ held, outcome }: Recordable) =>
      outcome.kind === "delivered" && !held.claim.isWritten;
    const told = set.filter(isTold);
    const others = told.length === set.length ? [] : set.filter((one) => !isTold(one));
    const isDue = await exclusively(async () => {
      // Successes come last: an endpoint that answered some of them is not failing.
      if (others.length > 0)
        await recordAttempts(database, companyId, others, told.length === 0 ? finished : []);
      if (told.length === 0) return true;
      const { late, is_due } = await recordTold(database, companyId, told, finished);
      const written = (late ?? []).flatMap((place) => told[place - 1] ?? []);
      if (written.length > 0) await recordAttempts(database, companyId, written, []);
      return is_due || others.length > 0;
    });
    this.#onWritten(set, isDue);
  }

  #onWritten(set: readonly Recordable[], isDue: boolean): void {
    for (const { held } of set) held.claim.left -= 1;
    this.#options.onWritten(set, isDue);
  }
}

/** Claims of which nothing is left once these are written. */
function finishedBy(set: readonly Recordable[]): Claim[] {
  const counts = new Map<Claim, number>();
  for (const { held } of set) counts.set(held.claim, (counts.get(held.claim) ?? 0) + 1);
  return [...counts].flatMap(([claim, count]) =>
    claim.left === count && !claim.isWritten ? [claim] : [],
  );
}

/** The database cannot be reached, or somebody holds the company's deliveries: it passes. */
function isAway(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    error instanceof OutcomeUnknown ||
    sqlState(error) === lockNotAvailable
  );
}
