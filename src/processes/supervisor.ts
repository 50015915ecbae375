import type { Logger } from "pino";
import { Child } from "./child.ts";
import { ProcessesKeepEnding } from "./errors.ts";

export interface Job {
  /** As the log names it: "process 1". */
  readonly name: string;
  /** What its process is told first. */
  readonly assignment: (isReplacement: boolean) => object;
}

export interface SupervisorOptions {
  readonly jobs: readonly Job[];
  readonly logger: Logger;
  /** Called with every process as it is started, before it says anything. */
  readonly onStarted: (child: Child, job: Job) => void;
  /** How long one that was replaced may still serve those who are connected to it. */
  readonly retireLimitMs: number;
  /** How long all of them may take to stop. */
  readonly stopLimitMs: number;
  /** A process that was ready for so long and then ended begins counting anew. */
  readonly steadyAfterMs?: number;
}

interface Slot {
  readonly job: Job;
  current: Child | undefined;
  endingsInARow: number;
  restart: NodeJS.Timeout | undefined;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const endingsInARowMax = 5;
const steadyAfterDefaultMs = 10_000;

/** Keeps one process for each job: starts it again when it ends, replaces it when asked to, ends it when all is over. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: Slot[];
  readonly #children = new Set<Child>();
  readonly #steadyAfterMs: number;
  #tellLost: (error: Error) => void = () => {};
  #isStopping = false;
  #restarting: Promise<void> | undefined;
  #restarts = 0;
  /** Rejects when a process ends again and again: then it cannot go on. */
  readonly lost: Promise<never>;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#steadyAfterMs = options.steadyAfterMs ?? steadyAfterDefaultMs;
    this.#slots = options.jobs.map((job) => ({
      job,
      current: undefined,
      endingsInARow: 0,
      restart: undefined,
    }));
    this.lost = new Promise((_resolve, reject) => {
      this.#tellLost = reject;
    });
    this.lost.catch(() => {});
  }

  /** All that run, those that are about to leave too. */
  get children(): readonly Child[] {
    return [...this.#children];
  }

  /** How often one was started again after it had ended by itself. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves, with what each said, when all are ready; rejects with what one of them complained of. */
  async start(): Promise<unknown[]> {
    return Promise.all(this.#slots.map((slot) => this.#begin(slot, false).ready));
  }

  /** Replaces them one after the other; each new one serves before the old one leaves. */
  restart(): Promise<void> {
    this.#restarting ??= this.#replaceAll().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Whether all of them ended by themselves in time. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    for (const { restart } of this.#slots) clearTimeout(restart);
    for (const child of this.#children) child.leave("stop");
    let areAllInTime = true;
    const limit = setTimeout(() => {
      areAllInTime = false;
      for (const child of this.#children) child.kill();
    }, this.#options.stopLimitMs);
    const serving = this.children.filter(({ readyAtMs }) => readyAtMs !== undefined);
    await Promise.all(this.children.map(({ ended }) => ended));
    const endings = await Promise.all(serving.map(({ ended }) => ended));
    clearTimeout(limit);
    return areAllInTime && endings.every((ending) => ending === "exit code 0");
  }

  #begin(slot: Slot, isReplacement: boolean): Child {
    const child = this.#spawn(slot, isReplacement);
    slot.current = child;
    return child;
  }

  #spawn(slot: Slot, isReplacement: boolean): Child {
    const child = new Child(slot.job.assignment(isReplacement));
    this.#children.add(child);
    this.#options.onStarted(child, slot.job);
    void child.ended.then((ending) => this.#onEnded(slot, child, ending));
    return child;
  }

  #onEnded(slot: Slot, child: Child, ending: string): void {
    this.#children.delete(child);
    if (!this.#isStopping && !child.isLeaving && slot.current === child)
      this.#beginAgain(slot, child, ending);
  }

  #beginAgain(slot: Slot, { pid, readyAtMs }: Child, ending: string): void {
    const { logger } = this.#options;
    const { name } = slot.job;
    const wasSteady =
      readyAtMs !== undefined && performance.now() - readyAtMs >= this.#steadyAfterMs;
    slot.endingsInARow = wasSteady ? 1 : slot.endingsInARow + 1;
    if (slot.endingsInARow >= endingsInARowMax) {
      this.#tellLost(new ProcessesKeepEnding(`The ${name}`, slot.endingsInARow, ending));
      return;
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** (slot.endingsInARow - 1), longestPauseMs);
    logger.error(
      { process: name, child: pid, ending, pauseMs },
      "a process ended; starting it again",
    );
    this.#restarts += 1;
    slot.restart = setTimeout(() => void this.#begin(slot, true), pauseMs);
  }

  async #replaceAll(): Promise<void> {
    const { logger } = this.#options;
    logger.info("restarting the processes one by one");
    for (const slot of this.#slots) {
      if (this.#isStopping) return;
      try {
        await this.#replace(slot);
      } catch (error) {
        logger.error(
          { process: slot.job.name, reason: error instanceof Error ? error.message : "unknown" },
          "the restart was given up: a new process could not begin. The others go on as they were",
        );
        return;
      }
    }
    logger.info("all processes were restarted");
  }

  async #replace(slot: Slot): Promise<void> {
    const former = slot.current;
    // One that has just ended is on its way back already.
    if (former === undefined || former.hasEnded) return;
    const child = this.#spawn(slot, true);
    await child.ready;
    if (former !== slot.current || former.hasEnded || child.hasEnded || this.#isStopping) {
      // Whatever happened meanwhile, somebody sees to it.
      child.leave("stop");
      return;
    }
    slot.current = child;
    former.leave("retire");
    const limit = setTimeout(() => former.kill(), this.#options.retireLimitMs);
    await former.ended;
    clearTimeout(limit);
  }
}
