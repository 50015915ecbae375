export interface BodyBytesLimits {
  /** Bytes of all bodies that are being read or worked on. */
  readonly bytesMax: number;
  /** The part of them that one holder may have, from 0 to 1. */
  readonly share: number;
}

/**
 * How many bytes of large bodies are in hand. They are counted before a body is read, as the caller announced them, because
 * afterwards they are in memory already. Who has nothing in hand is always let in, so no body is too large for ever.
 */
export class BodyBytes {
  readonly #limits: BodyBytesLimits;
  readonly #held = new Map<string, number>();
  #inHand = 0;

  constructor(limits: BodyBytesLimits) {
    this.#limits = limits;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#inHand === 0 || this.#inHand + bytes <= this.#limits.bytesMax;
  }

  hasShareFor(holder: string, bytes: number): boolean {
    const held = this.#held.get(holder) ?? 0;
    return held === 0 || held + bytes <= this.#limits.bytesMax * this.#limits.share;
  }

  take(holder: string, bytes: number): void {
    this.#inHand += bytes;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes);
  }

  giveBack(holder: string, bytes: number): void {
    this.#inHand -= bytes;
    const left = (this.#held.get(holder) ?? 0) - bytes;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }
}
