import { DatabaseUnavailable } from "./errors.ts";

interface Share {
  taken: number;
  readonly waiting: (() => void)[];
}

/** Of one pool. */
export interface ConnectionCounts {
  readonly inUse: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
  readonly max: number;
}

/** Lets each owner have a limited number of connections at the same time; who finds none free waits for a while. */
export class Shares {
  readonly #max: number;
  readonly #patienceMs: number;
  readonly #shares = new Map<string, Share>();

  constructor(max: number, patienceMs: number) {
    this.#max = max;
    this.#patienceMs = patienceMs;
  }

  async take(owner: string): Promise<void> {
    const share = this.#shares.get(owner) ?? { taken: 0, waiting: [] };
    this.#shares.set(owner, share);
    if (share.taken === this.#max) await this.#wait(share);
    else share.taken += 1;
  }

  giveBack(owner: string): void {
    const share = this.#shares.get(owner);
    if (share === undefined) return;
    const next = share.waiting.shift();
    if (next !== undefined) next();
    else if (share.taken > 1) share.taken -= 1;
    else this.#shares.delete(owner);
  }

  #wait({ waiting }: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(goOn), 1);
        reject(new DatabaseUnavailable());
      };
      const timer = setTimeout(giveUp, this.#patienceMs);
      waiting.push(goOn);
    });
  }
}
