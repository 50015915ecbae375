import type { Logger } from "pino";
import { DatabaseUnavailable, OutcomeUnknown } from "../database/errors.ts";
import { activities } from "../kernel/activity-board.ts";
import type { WorkSource } from "./work-source.ts";

export interface WorkLoopOptions {
  readonly logger: Logger;
  /** What the log calls this loop. */
  readonly name: string;
  readonly source: WorkSource;
  /** Companies that have a turn at the same time. */
  readonly concurrency: number;
  /** How often the source is asked without a hint. */
  readonly pollMs: number;
  /**
   * How long a company waits, after a turn that left nothing, for the next one that hints ask for: what comes meanwhile
   * goes together, which costs little more than one alone. Whoever had no turn lately gets one at once.
   */
  readonly restMs?: number;
  /** How long a company whose turn failed has no other: a second, unless it says otherwise. */
  readonly failurePauseMs?: number;
}

/** Companies that are asked for at once, beyond those that cannot have a turn now. */
const findMax = 50;
/** Hints come as often as requests; looking for work more often than this finds nothing more. */
const lookPauseMs = 10;
/** More hinted companies than this are not remembered by name: the loop looks for them. */
const hintedMax = 1_000;
const failurePauseDefaultMs = 1_000;
/** Trouble with the database concerns everybody and may be over at any moment. */
const unavailablePauseMs = 200;

/**
 * Gives companies their turns, side by side with any number of other nodes. Every place is filled by itself:
 * one that becomes free takes the next company at once, whatever the other places are doing, so that a company
 * whose turn hangs delays no other. A company has at most one turn at a time.
 *
 * The loop is woken by hints. Without one it looks every `pollMs`, because hints can be lost.
 */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #label: number;
  /** Companies that have a turn now; true when a hint came meanwhile, so that another turn has to follow. */
  readonly #inHand = new Map<string, boolean>();
  /** Companies that wait for a place, in the order in which they came. */
  readonly #ready = new Set<string>();
  /** Companies whose next turn is due soon. */
  readonly #due = new Map<string, NodeJS.Timeout>();
  /** Companies whose last turn failed: no hint gives them another one before the pause is over. */
  readonly #paused = new Map<string, NodeJS.Timeout>();
  /** Companies that have just had a turn; true when a hint came meanwhile. */
  readonly #resting = new Map<string, boolean>();
  readonly #rests = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isStarted = false;
  #isLooking = false;
  #mustLook = false;
  #hasFailedToLook = false;
  #lookedAtMs = -Infinity;
  #nextLook: NodeJS.Timeout | undefined;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
    this.#label = activities.labelFor(`work of the queue ${options.name}`);
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** There is something to do for this company, or, without a name, for somebody. */
  wake(companyId?: string): void {
    if (!this.#isStarted) return;
    if (companyId === undefined) this.#mustLook = true;
    else if (this.#inHand.has(companyId)) this.#inHand.set(companyId, true);
    else if (this.#resting.has(companyId)) this.#resting.set(companyId, true);
    else if (this.#ready.size >= hintedMax) this.#mustLook = true;
    else if (!this.#paused.has(companyId)) this.#ready.add(companyId);
    this.#fillPlaces();
  }

  /** Finishes what is in hand, then ends. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#ready.clear();
    clearTimeout(this.#nextLook);
    for (const timers of [this.#due, this.#paused, this.#rests])
      for (const timer of timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#running);
  }

  #fillPlaces(): void {
    for (const companyId of this.#ready) {
      if (this.#inHand.size >= this.#options.concurrency) return;
      this.#ready.delete(companyId);
      this.#run(this.#giveTurn(companyId));
    }
    // While every place is taken, the look of every `pollMs` is enough: whoever it finds has to wait anyway.
    if (this.#mustLook && this.#inHand.size < this.#options.concurrency) this.#lookSoon();
  }

  #run(task: Promise<void>): void {
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  async #giveTurn(companyId: string): Promise<void> {
    const { source } = this.#options;
    this.#inHand.set(companyId, false);
    activities.begin(this.#label, companyId);
    try {
      const dueMs = await source.work(companyId, this.#mayGoOn);
      const isHinted = this.#inHand.get(companyId) === true;
      this.#inHand.delete(companyId);
      if (dueMs === undefined) this.#rest(companyId);
      if (isHinted) this.wake(companyId);
      if (dueMs !== undefined) this.#comeBack(companyId, dueMs);
    } catch (error) {
      this.#inHand.delete(companyId);
      this.#pause(companyId, error);
    }
    if (this.#isStarted) this.#fillPlaces();
  }

  readonly #mayGoOn = (): boolean => this.#isStarted;

  #rest(companyId: string): void {
    const { restMs = 0 } = this.#options;
    if (restMs === 0 || !this.#isStarted) return;
    this.#resting.set(companyId, false);
    const timer = setTimeout(() => {
      this.#rests.delete(timer);
      const isHinted = this.#resting.get(companyId) === true;
      this.#resting.delete(companyId);
      if (isHinted) this.wake(companyId);
    }, restMs);
    this.#rests.add(timer);
  }

  /** Work that is due later than the next look is found by it. */
  #comeBack(companyId: string, dueMs: number): void {
    clearTimeout(this.#due.get(companyId));
    this.#due.delete(companyId);
    if (dueMs <= 0) this.wake(companyId);
    else if (dueMs < this.#options.pollMs && this.#isStarted) {
      const wake = () => {
        this.#due.delete(companyId);
        this.wake(companyId);
      };
      this.#due.set(companyId, setTimeout(wake, Math.ceil(dueMs)));
    }
  }

  /** After the pause the company is looked for like any other, so that it costs nothing while nobody can work. */
  #pause(companyId: string, error: unknown): void {
    const { logger, name, failurePauseMs = failurePauseDefaultMs } = this.#options;
    const isAway = error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown;
    logger[isAway ? "warn" : "error"](
      { err: error, queue: name, companyId },
      "work failed; it will be tried again",
    );
    if (!this.#isStarted) return;
    const end = () => {
      this.#paused.delete(companyId);
      this.wake();
    };
    this.#paused.set(companyId, setTimeout(end, isAway ? unavailablePauseMs : failurePauseMs));
  }

  #lookSoon(): void {
    if (this.#isLooking) return;
    const waitMs = this.#lookedAtMs + lookPauseMs - performance.now();
    if (waitMs > 0) this.#lookIn(waitMs);
    else this.#run(this.#look());
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#nextLook);
    this.#nextLook = setTimeout(() => this.#run(this.#look()), ms);
  }

  async #look(): Promise<void> {
    const { source, pollMs, logger, name } = this.#options;
    clearTimeout(this.#nextLook);
    this.#isLooking = true;
    this.#mustLook = false;
    // A source may name again who has a turn now or has to pause: they must not hide the others.
    const limit = findMax + this.#inHand.size + this.#paused.size;
    let nextLookMs = pollMs;
    try {
      const found = await source.find(limit);
      if (found.length >= limit) this.#mustLook = true;
      for (const companyId of found)
        if (this.#resting.has(companyId)) this.#resting.set(companyId, true);
        else if (!this.#inHand.has(companyId) && !this.#paused.has(companyId))
          this.#ready.add(companyId);
      this.#hasFailedToLook = false;
    } catch (error) {
      nextLookMs = Math.min(pollMs, unavailablePauseMs);
      if (!this.#hasFailedToLook)
        logger.warn({ err: error, queue: name }, "looking for work failed; trying until it works");
      this.#hasFailedToLook = true;
    }
    this.#isLooking = false;
    this.#lookedAtMs = performance.now();
    if (!this.#isStarted) return;
    this.#lookIn(nextLookMs);
    this.#fillPlaces();
  }
}
