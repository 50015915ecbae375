import { RateWindows } from "../http/rate-windows.ts";

const minuteMs = 60_000;
const secondMs = 1_000;
/** Enough for an honest caller behind the address of an attacker to be let in soon. */
const questionsPerSecond = 10;

/** Counts wrong tokens by address. An address with too many of them costs the database no more than a few questions. */
export class WrongTokens {
  readonly #failuresPerMinute: number;
  readonly #failures = new RateWindows();
  readonly #questions = new RateWindows();

  constructor(failuresPerMinute: number) {
    this.#failuresPerMinute = failuresPerMinute;
  }

  /** Whether the database may be asked about one more unknown token from this address. */
  mayAsk(address: string): boolean {
    if (this.#failures.countOf(address) < this.#failuresPerMinute) return true;
    return this.#questions.count(address, secondMs).count <= questionsPerSecond;
  }

  /** Counts a wrong one; answers how many seconds to wait when they are too many. */
  count(address: string): number | undefined {
    const { count, ttl } = this.#failures.count(address, minuteMs);
    return count > this.#failuresPerMinute ? Math.ceil(ttl / secondMs) : undefined;
  }
}
