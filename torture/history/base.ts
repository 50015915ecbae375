import type { Random } from "../random.ts";

/** Something that is done to the database. */
export interface DatabaseFault {
  readonly name: string;
  inflict(random: Random): Promise<void>;
}

/** Where the books are, and what can happen to them there. */
export interface Base {
  readonly url: string;
  readonly faults: readonly DatabaseFault[];
}

/**
 * Makes a base, hands it over and removes every trace of it; or says in one line what is missing for it. `root` is the checkout whose
 * program is tried, where it is not this one.
 */
export type OnBase = <Result>(
  folder: string,
  work: (base: Base) => Promise<Result>,
  root?: string,
) => Promise<Result | string>;

/** How long something stands still: longer than a client waits. */
export function pauseMs(random: Random): number {
  return random.integer(1_000, 5_000);
}
