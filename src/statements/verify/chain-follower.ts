import { type ChainedPosting, digestOfSet, nextHash, type SetVersion } from "../chain.ts";
import type { Seal } from "../seal.ts";

/** A seal that the chain must pass through; `isWitness` when somebody kept it apart from the export. */
export interface ExpectedSeal {
  readonly seal: Seal;
  readonly isWitness: boolean;
}

/** Computes the ledger's chain again from what an export has of it, and looks for seals on the way. */
export class ChainFollower {
  #hash: Buffer;
  #set: ChainedPosting[] = [];
  readonly #ahead: ExpectedSeal[];
  readonly passed: ExpectedSeal[] = [];

  constructor(hashBefore: Buffer, seals: readonly ExpectedSeal[]) {
    this.#hash = hashBefore;
    this.#ahead = seals.toSorted((one, other) => one.seal.number - other.seal.number);
    this.#arriveAt(hashBefore);
  }

  get hash(): Buffer {
    return this.#hash;
  }

  /** The seal that the chain should have passed before that posting, and did not. */
  missedBefore(number: number): ExpectedSeal | undefined {
    const [next] = this.#ahead;
    return next !== undefined && next.seal.number < number ? next : undefined;
  }

  pass(digests: readonly Buffer[]): void {
    for (const digest of digests) this.#arriveAt(nextHash(this.#hash, digest));
  }

  add(posting: ChainedPosting, endsSet: SetVersion | undefined): void {
    this.#set.push(posting);
    if (endsSet === undefined) return;
    this.#arriveAt(nextHash(this.#hash, digestOfSet(this.#set, endsSet)));
    this.#set = [];
  }

  #arriveAt(hash: Buffer): void {
    this.#hash = hash;
    while (this.#ahead[0]?.seal.hash.equals(hash) === true)
      this.passed.push(...this.#ahead.splice(0, 1));
  }
}
