import { setTimeout as sleep } from "node:timers/promises";

/** Between a search that failed and the next one. */
const pauseMs = 100;

/**
 * A search that one does on behalf of all who need what it finds. While a primary is being replaced every request would
 * otherwise ask each server for itself, many times a second, and take from those servers what they need to replace it.
 */
export class Search {
  #underWay: Promise<unknown> | undefined;
  #failedMs = Number.NEGATIVE_INFINITY;

  /** Looks, or waits for whoever does and learns why that failed. */
  async run<Found>(look: () => Promise<Found>): Promise<Found> {
    if (this.#underWay !== undefined) {
      await this.#underWay;
      return look();
    }
    const looking = this.#lookInTime(look);
    this.#underWay = looking;
    try {
      return await looking;
    } catch (error) {
      this.#failedMs = performance.now();
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #lookInTime<Found>(look: () => Promise<Found>): Promise<Found> {
    const leftMs = this.#failedMs + pauseMs - performance.now();
    if (leftMs > 0) await sleep(leftMs);
    return look();
  }
}
