import type { Signals } from "./signals.ts";
import type { Queue } from "./work.ts";

const hintEveryMs = 100;

/**
 * Tells workers that there is something to do: a worker in this process directly, others through a
 * signal, at most ten a second, because a signal costs a round trip and one wakes them for everything.
 */
export class WorkHints {
  readonly #signals: Signals;
  readonly #local = new Map<Queue, () => void>();
  readonly #pending = new Map<Queue, NodeJS.Timeout>();

  constructor(signals: Signals) {
    this.#signals = signals;
  }

  /** Registers this process's own worker for a queue. */
  wakeLocally(queue: Queue, wake: () => void): void {
    this.#local.set(queue, wake);
    this.#signals.on("work_ready", (payload) => {
      if (payload === queue) wake();
    });
  }

  hint(queue: Queue): void {
    const wake = this.#local.get(queue);
    if (wake !== undefined) {
      wake();
      return;
    }
    if (this.#pending.has(queue)) return;
    const timer = setTimeout(() => {
      this.#pending.delete(queue);
      // A lost hint costs a poll interval, nothing more.
      this.#signals.send("work_ready", queue).catch(() => {});
    }, hintEveryMs);
    timer.unref();
    this.#pending.set(queue, timer);
  }
}
