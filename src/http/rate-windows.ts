import type { FastifyRateLimitStore } from "@fastify/rate-limit";

const keysMax = 5_000;

interface Window {
  count: number;
  readonly endsAtMs: number;
}

interface Counted {
  readonly count: number;
  /** The time left of its window, in milliseconds. */
  readonly ttl: number;
}

/** Counts one more of a key, wherever that is counted. Never rejects. */
export type CountOne = (key: string, timeWindowMs: number) => Promise<Counted>;

/** A store whose windows are counted elsewhere: several processes then have one limit together. */
export function windowsCountedBy(countOne: CountOne): new () => FastifyRateLimitStore {
  return class implements FastifyRateLimitStore {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindowMs = 0,
    ): void {
      const count = async () => {
        const counted = await countOne(key, timeWindowMs);
        callback(null, { current: counted.count, ttl: counted.ttl });
      };
      void count();
    }

    /** There is one limit of this kind, for all scopes. */
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

/**
 * Counts requests per key in windows of the process's steady clock. The store that comes with the plugin
 * asks the wall clock: when that steps back, whoever was over a limit stays shut out until it caught up.
 */
export class RateWindows implements FastifyRateLimitStore {
  /** In the order of their last use, so that the first is the one to forget. */
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindowMs = 0,
  ): void {
    const { count, ttl } = this.count(key, timeWindowMs);
    callback(null, { current: count, ttl });
  }

  /** Counts one more. */
  count(key: string, timeWindowMs: number): Counted {
    // Whole milliseconds, because the time left is rounded up to seconds: a trace more than a second would be told as
    // two.
    const nowMs = Math.floor(performance.now());
    const known = this.#windows.get(key);
    this.#windows.delete(key);
    const window =
      known !== undefined && known.endsAtMs > nowMs
        ? known
        : { count: 0, endsAtMs: nowMs + timeWindowMs };
    window.count += 1;
    if (this.#windows.size >= keysMax) this.#forgetFirst();
    this.#windows.set(key, window);
    return { count: window.count, ttl: window.endsAtMs - nowMs };
  }

  /** How many were counted in the window that is open. */
  countOf(key: string): number {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAtMs > performance.now() ? window.count : 0;
  }

  /** Each limit counts for itself. */
  child(): RateWindows {
    return new RateWindows();
  }

  #forgetFirst(): void {
    const [first] = this.#windows.keys();
    if (first !== undefined) this.#windows.delete(first);
  }
}
