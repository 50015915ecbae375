import type { DomainError } from "../kernel/domain-error.ts";
import { Overloaded } from "../kernel/errors.ts";

export interface PlacesOptions {
  readonly perHolderMax: number;
  readonly perNodeMax: number;
  /** What a holder is told that has as many as it may have. */
  readonly refuse: (perHolderMax: number) => DomainError;
}

/** How many long pieces of work a node has under way at a time, and how many of them for one account. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Answers how the place is given back. */
  take(holder: string): () => void {
    const { perHolderMax, perNodeMax, refuse } = this.#options;
    const taken = this.#taken.get(holder) ?? 0;
    if (taken >= perHolderMax) throw refuse(perHolderMax);
    if (this.#total >= perNodeMax) throw new Overloaded();
    this.#taken.set(holder, taken + 1);
    this.#total += 1;
    return () => this.#giveBack(holder);
  }

  #giveBack(holder: string): void {
    const left = (this.#taken.get(holder) ?? 0) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
    this.#total -= 1;
  }
}
