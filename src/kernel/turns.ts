import { setImmediate as next } from "node:timers/promises";

/** A tenth of what nobody may be held up for: between two looks at the clock more than one row may pass. */
const turnMs = 10;

/** Lets everybody else have the event loop whenever a long piece of work has had it for long enough. */
export class Turns {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since >= turnMs;
  }

  async next(): Promise<void> {
    await next();
    this.#since = performance.now();
  }
}
