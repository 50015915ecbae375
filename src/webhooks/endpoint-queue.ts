import { heldMaxMs } from "./delivery-policy.ts";
import type { Held } from "./held.ts";

const roomMin = 8;
/** Of an endpoint that has not answered yet. */
export const roomStart = 64;
const roomMax = 512;
const failuresMax = 10;
const drainedQuicklyMs = 1_000;

/**
 * What a node holds for one endpoint: a few requests in flight and some waiting behind them. How many may wait
 * follows from how fast the endpoint answers, so that a fast one is fed in large sets and a slow one never holds more
 * than it can be sent in time.
 *
 * Deliveries of one object are sent one after the other, each when the one before it is written down. When one is not
 * acknowledged, all that waits behind it is given back.
 */
export class EndpointQueue {
  readonly #inFlightMax: number;
  readonly #waiting: Held[] = [];
  /** When each was sent, the first one first. */
  readonly #inFlight = new Map<Held, number>();
  /** The first one of each object: it waits, is in flight, or is being written down. */
  readonly #heads = new Map<string, Held>();
  /** What waits behind it. */
  readonly #behind = new Map<string, Held[]>();
  /** Objects whose first one was not acknowledged: nothing behind it may be sent from here. */
  readonly #broken = new Set<string>();
  #behindCount = 0;
  #capacity = roomStart;
  #failures = 0;
  #lastWaitMs = 0;

  constructor(inFlightMax: number) {
    this.#inFlightMax = inFlightMax;
  }

  get isIdle(): boolean {
    return this.#heads.size === 0;
  }

  get isSending(): boolean {
    return this.#inFlight.size > 0;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** How many more it would take now. */
  get room(): number {
    // The circuit breaker opens when the tenth failure is written down. Until then a new claim would send more for nothing.
    if (this.#failures >= failuresMax && !this.isIdle) return 0;
    const held = this.#inFlight.size + this.#waiting.length + this.#behindCount;
    return Math.max(0, this.#capacity - held);
  }

  /** It has nothing more to send once those are answered that are in flight. */
  get isHungry(): boolean {
    return this.#waiting.length < this.#inFlightMax;
  }

  /** How long the request has been under way that was sent first. */
  ageMs(nowMs: number): number {
    const [sentAtMs] = this.#inFlight.values();
    return sentAtMs === undefined ? 0 : nowMs - sentAtMs;
  }

  /** How long one waits here for its turn: as the last one did, or longer if the next has waited longer already. */
  waitMs(nowMs: number): number {
    const first = this.#waiting[0];
    return Math.max(this.#lastWaitMs, first === undefined ? 0 : nowMs - first.claim.dueAtMs);
  }

  /** False: it may not be sent, because something before it was not acknowledged. */
  add(held: Held): boolean {
    const { subjectId } = held;
    if (!this.#heads.has(subjectId)) {
      this.#heads.set(subjectId, held);
      this.#waiting.push(held);
      return true;
    }
    if (this.#broken.has(subjectId)) return false;
    const behind = this.#behind.get(subjectId);
    if (behind === undefined) this.#behind.set(subjectId, [held]);
    else behind.push(held);
    this.#behindCount += 1;
    return true;
  }

  /** Whether one may be sent now. */
  isReady(nowMs: number): boolean {
    const first = this.#waiting[0];
    const isDue = first !== undefined && first.claim.dueAtMs <= nowMs;
    return isDue && this.#inFlight.size < this.#inFlightMax;
  }

  /** The next one to send, if one more may be in flight; call `done` when it was sent. */
  next(nowMs: number): Held | undefined {
    const first = this.isReady(nowMs) ? this.#waiting.shift() : undefined;
    if (first === undefined) return undefined;
    this.#inFlight.set(first, nowMs);
    this.#adapt(nowMs - first.claim.dueAtMs);
    return first;
  }

  /**
   * One that was sent has ended. Answers what has to be given back: what waits behind it, if it was not acknowledged;
   * and after ten failures in a row everything, because then the circuit breaker in the database decides.
   */
  done(held: Held, isDelivered: boolean): Held[] {
    this.#inFlight.delete(held);
    this.#failures = isDelivered ? 0 : this.#failures + 1;
    if (isDelivered) return [];
    const behind = this.#breakLine(held);
    if (this.#failures < failuresMax) return behind;
    this.#capacity = roomMin;
    return [...behind, ...this.clear()];
  }

  /** Its outcome is on disk: the next one of the same object may go. */
  written(held: Held): void {
    const { subjectId } = held;
    if (this.#heads.get(subjectId) !== held) return;
    const behind = this.#behind.get(subjectId);
    const next = behind?.shift();
    if (behind?.length === 0) this.#behind.delete(subjectId);
    if (next === undefined) {
      this.#heads.delete(subjectId);
      this.#broken.delete(subjectId);
    } else {
      this.#heads.set(subjectId, next);
      this.#behindCount -= 1;
      this.#waiting.push(next);
    }
  }

  /** Takes out what has waited too long. */
  dropStale(nowMs: number): Held[] {
    const first = this.#waiting[0];
    if (first === undefined || nowMs - first.claim.takenAtMs < heldMaxMs) return [];
    this.#capacity = roomMin;
    return this.clear();
  }

  clear(): Held[] {
    return this.takeOut(() => true);
  }

  /** Takes out what waits. What waits behind something that is in flight stays until that has ended. */
  takeOut(isMeant: (held: Held) => boolean): Held[] {
    const out = this.#waiting.filter(isMeant);
    if (out.length === 0) return [];
    const kept = this.#waiting.filter((held) => !isMeant(held));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    return out.flatMap((held) => [held, ...this.#breakLine(held)]);
  }

  #breakLine({ subjectId }: Held): Held[] {
    const behind = this.#behind.get(subjectId) ?? [];
    this.#broken.add(subjectId);
    this.#behind.delete(subjectId);
    this.#behindCount -= behind.length;
    return behind;
  }

  #adapt(waitedMs: number): void {
    this.#lastWaitMs = waitedMs;
    if (this.#waiting.length > 0) {
      if (waitedMs > drainedQuicklyMs * 4) this.#capacity = Math.max(roomMin, this.#capacity >> 1);
    } else if (waitedMs < drainedQuicklyMs) {
      this.#capacity = Math.min(roomMax, this.#capacity * 4);
    }
  }
}
