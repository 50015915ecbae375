/** When answers take longer than this on average, the node takes on fewer requests at once. */
const patienceMs = 400;
const windowMs = 1_000;
const leastRequests = 32;
const shrinkBy = 0.75;
const growthSteps = 16;

/**
 * How many requests are worked on at once. Requests that wait for one another get into one database call together,
 * which is good up to a bound; beyond it each one only makes all of them late. The bound is what the operator set.
 * While answers take long it is lowered, and afterwards slowly raised again. Of the bound each holder, an account, may
 * have a share: the others then always find room.
 */
export class Admission {
  readonly #most: number;
  readonly #least: number;
  readonly #share: number;
  readonly #held = new Map<string, number>();
  #bound: number;
  #inHand = 0;
  #windowStartedAt = 0;
  #answered = 0;
  #totalMs = 0;
  #wasFull = false;

  /** `share` from 0 to 1. */
  constructor(requestsMax: number, share = 1) {
    this.#most = requestsMax;
    this.#least = Math.min(Math.ceil(leastRequests / share), requestsMax);
    this.#share = share;
    this.#bound = requestsMax;
  }

  get isFull(): boolean {
    return this.#inHand >= this.#bound;
  }

  isFullFor(holder: string): boolean {
    return (this.#held.get(holder) ?? 0) >= Math.ceil(this.#bound * this.#share);
  }

  get bound(): number {
    return this.#bound;
  }

  enter(holder?: string): void {
    this.#inHand += 1;
    this.#wasFull ||= this.isFull;
    if (holder === undefined) return;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    this.#wasFull ||= this.isFullFor(holder);
  }

  /** `now` and `tookMs` by the steady clock. */
  leave(now: number, tookMs: number, holder?: string): void {
    this.#inHand -= 1;
    if (holder !== undefined) this.#giveBack(holder);
    this.#answered += 1;
    this.#totalMs += tookMs;
    if (now - this.#windowStartedAt < windowMs) return;

    const meanMs = this.#totalMs / this.#answered;
    // Slow answers alone mean a slow database or a large batch: fewer requests would not help.
    if (this.#wasFull && meanMs > patienceMs)
      this.#bound = Math.max(this.#least, Math.floor(this.#bound * shrinkBy));
    else if (meanMs < patienceMs / 2)
      this.#bound = Math.min(this.#most, this.#bound + Math.ceil(this.#most / growthSteps));
    this.#windowStartedAt = now;
    this.#answered = 0;
    this.#totalMs = 0;
    this.#wasFull = this.isFull;
  }

  #giveBack(holder: string): void {
    const left = (this.#held.get(holder) ?? 0) - 1;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }
}
