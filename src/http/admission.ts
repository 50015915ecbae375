/** When answers take longer than this on average, the node takes on fewer requests at once. */
const patienceMs = 400;
const windowMs = 1_000;
const leastRequests = 32;
const shrinkBy = 0.75;
const growthSteps = 16;

/**
 * How many requests are worked on at once. Requests that wait for one another get into one database call together,
 * which is good up to a bound; beyond it each one only makes all of them late. The bound is what the operator set.
 * While answers take long it is lowered, and afterwards slowly raised again.
 */
export class Admission {
  readonly #most: number;
  #bound: number;
  #inHand = 0;
  #windowStartedAt = 0;
  #answered = 0;
  #totalMs = 0;
  #wasFull = false;

  constructor(requestsMax: number) {
    this.#most = requestsMax;
    this.#bound = requestsMax;
  }

  get isFull(): boolean {
    return this.#inHand >= this.#bound;
  }

  get bound(): number {
    return this.#bound;
  }

  enter(): void {
    this.#inHand += 1;
    this.#wasFull ||= this.isFull;
  }

  /** `now` and `tookMs` by the steady clock. */
  leave(now: number, tookMs: number): void {
    this.#inHand -= 1;
    this.#answered += 1;
    this.#totalMs += tookMs;
    if (now - this.#windowStartedAt < windowMs) return;

    const meanMs = this.#totalMs / this.#answered;
    // Slow answers alone mean a slow database or a large batch: fewer requests would not help.
    if (this.#wasFull && meanMs > patienceMs)
      this.#bound = Math.max(
        Math.min(leastRequests, this.#most),
        Math.floor(this.#bound * shrinkBy),
      );
    else if (meanMs < patienceMs / 2)
      this.#bound = Math.min(this.#most, this.#bound + Math.ceil(this.#most / growthSteps));
    this.#windowStartedAt = now;
    this.#answered = 0;
    this.#totalMs = 0;
    this.#wasFull = this.isFull;
  }
}
