import { heldMaxMs } from "./delivery-policy.ts";
import type { Held } from "./held.ts";

const roomMin = 8;
/** Of an endpoint that has not answered yet. */
export const roomStart = 64;
const roomMax = 512;
const failuresMax = 10;
const drainedQuicklyMs = 1_000;

/** The deliveries of one object. */
interface Line {
  /** Waits, is in flight, or is being written down. */
  head: Held;
  readonly followers: Held[];
  /** The first one was not acknowledged: nothing behind it may be sent from here. */
  isBroken: boolean;
}

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
  readonly #lines = new Map<string, Line>();
  #followers = 0;
  #capacity = roomStart;
  #failures = 0;
  #lastWaitMs = 0;

  constructor(inFlightMax: number) {
    this.#inFlightMax = inFlightMax;
  }

  get isIdle(): boolean {
    return this.#lines.size === 0;
  }

  get isSending(): boolean {
    return this.#inFlight.size > 0;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** How many more it would take now. */
  get room(): number {
    return Math.max(
      0,
      this.#capacity - this.#inFlight.size - this.#waiting.length - this.#followers,
    );
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
    const line = this.#lines.get(held.subjectId);
    if (line === undefined) {
      this.#lines.set(held.subjectId, { head: held, followers: [], isBroken: false });
      this.#waiting.push(held);
      return true;
    }
    if (line.isBroken) return false;
    line.followers.push(held);
    this.#followers += 1;
    return true;
  }

  /** The next one to send, if one more may be in flight; call `done` when it was sent. */
  next(nowMs: number): Held | undefined {
    const first = this.#waiting[0];
    if (first === undefined || first.claim.dueAtMs > nowMs) return undefined;
    if (this.#inFlight.size >= this.#inFlightMax) return undefined;
    this.#waiting.shift();
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
    const line = this.#lines.get(held.subjectId);
    if (line?.head !== held) return;
    const next = line.followers.shift();
    if (next === undefined) {
      this.#lines.delete(held.subjectId);
    } else {
      line.head = next;
      this.#followers -= 1;
      this.#waiting.push(next);
    }
  }

  /** Takes out what waits for a webhook that is no longer there. */
  forget(webhookId: string): Held[] {
    return this.#takeOut(({ listener }) => listener.webhookId === webhookId);
  }

  /** Takes out what has waited too long. */
  dropStale(nowMs: number): Held[] {
    const first = this.#waiting[0];
    if (first === undefined || nowMs - first.claim.takenAtMs < heldMaxMs) return [];
    this.#capacity = roomMin;
    return this.clear();
  }

  clear(): Held[] {
    return this.#takeOut(() => true);
  }

  /** What waits behind something that is in flight stays until that has ended. */
  #takeOut(isMeant: (held: Held) => boolean): Held[] {
    const out = this.#waiting.filter(isMeant);
    const kept = this.#waiting.filter((held) => !isMeant(held));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    return out.flatMap((held) => [held, ...this.#breakLine(held)]);
  }

  #breakLine({ subjectId }: Held): Held[] {
    const line = this.#lines.get(subjectId);
    if (line === undefined) return [];
    line.isBroken = true;
    this.#followers -= line.followers.length;
    return line.followers.splice(0);
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
