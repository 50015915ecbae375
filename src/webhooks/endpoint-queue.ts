import type { TakenDelivery } from "./deliveries-store.ts";

/** A delivery in hand, with the claim it was taken under. */
export interface Held {
  readonly companyId: string;
  readonly claimId: string;
  readonly takenAtMs: number;
  readonly delivery: TakenDelivery;
}

export const roomMin = 8;
const roomMax = 512;
const failuresMax = 10;
const drainedQuicklyMs = 1_000;
/** Well before a claim runs out (30 s) and the delivery is handed to somebody else. */
const heldMaxMs = 15_000;

/**
 * What a node holds for one endpoint: a few requests in flight and some waiting behind them. How many may
 * wait follows from how fast the endpoint answers, so that a fast one is fed in large sets and a slow one
 * never holds more than it can be sent in time.
 */
export class EndpointQueue {
  readonly #inFlightMax: number;
  readonly #waiting: Held[] = [];
  #inFlight = 0;
  #room = roomMin;
  #failures = 0;
  #lastWaitMs = 0;

  constructor(inFlightMax: number) {
    this.#inFlightMax = inFlightMax;
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0;
  }

  /** How many more it would take now. */
  get room(): number {
    return Math.max(0, this.#room - this.#inFlight - this.#waiting.length);
  }

  /** How long one waits here for its turn: as the last one did, or longer if the next has waited longer already. */
  waitMs(nowMs: number): number {
    const first = this.#waiting[0];
    return Math.max(this.#lastWaitMs, first === undefined ? 0 : nowMs - first.takenAtMs);
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** The next one to send, if one more may be in flight; call `done` when it was sent. */
  next(nowMs: number): Held | undefined {
    if (this.#inFlight >= this.#inFlightMax) return undefined;
    const held = this.#waiting.shift();
    if (held !== undefined) {
      this.#inFlight += 1;
      this.#adapt(nowMs - held.takenAtMs);
    }
    return held;
  }

  /**
   * One that was sent has ended. After ten failures in a row nothing more is sent: what waits is handed
   * back, and the circuit breaker in the database decides when to try again.
   */
  done(isDelivered: boolean): Held[] {
    this.#inFlight -= 1;
    this.#failures = isDelivered ? 0 : this.#failures + 1;
    if (this.#failures < failuresMax) return [];
    this.#room = roomMin;
    return this.clear();
  }

  /** Takes out what waits for a webhook that is no longer there. */
  forget(webhookId: string): void {
    for (let place = this.#waiting.length - 1; place >= 0; place -= 1) {
      if (this.#waiting[place]?.delivery.webhook_id === webhookId) this.#waiting.splice(place, 1);
    }
  }

  /** Takes out what has waited too long; it becomes due again by itself when its claim runs out. */
  dropStale(nowMs: number): Held[] {
    const first = this.#waiting[0];
    if (first === undefined || nowMs - first.takenAtMs < heldMaxMs) return [];
    this.#room = roomMin;
    return this.#waiting.splice(0);
  }

  clear(): Held[] {
    return this.#waiting.splice(0);
  }

  #adapt(waitedMs: number): void {
    this.#lastWaitMs = waitedMs;
    if (this.#waiting.length > 0) {
      if (waitedMs > drainedQuicklyMs * 4) this.#room = Math.max(roomMin, this.#room >> 1);
    } else if (waitedMs < drainedQuicklyMs) {
      this.#room = Math.min(roomMax, this.#room * 4);
    }
  }
}
