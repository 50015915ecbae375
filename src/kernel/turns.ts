import { activities } from "./activity-board.ts";

/** A small part of what anybody may be held up for: between two looks at the clock more than one row may pass. */
const turnMs = 5;

/** Who waits for a turn, in the order in which they came. */
const waiting: (() => void)[] = [];

/** One in each pass of the event loop: in between, everybody else's requests go on. */
function passOn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(passOn);
  next?.();
}

/**
 * Cuts a long piece of work into turns. However many of them are under way, only one has a turn in each pass of the
 * event loop, so all of them together hold nobody up for longer than one does.
 */
export class Turns {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since >= turnMs;
  }

  async next(): Promise<void> {
    const { current } = activities;
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(passOn);
    });
    activities.goOnWith(current);
    this.#since = performance.now();
  }
}
