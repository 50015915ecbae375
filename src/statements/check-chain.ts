import type { Queryable } from "../database/database.ts";
import { type ChainedPosting, digestOfSet, nextHash } from "./chain.ts";
import { selectMismarked } from "./chain-store.ts";
import { type Stretch, selectPostings } from "./lines-store.ts";
import { toPosting } from "./to-line.ts";

const postingsAtOnce = 1_000;

/** The first place where postings are not what was chained. */
export interface BrokenLink {
  readonly number: number;
  readonly expected: string;
  readonly found: string;
}

export type ChainResult =
  | { readonly hash: Buffer; readonly broken?: never }
  | { readonly broken: BrokenLink };

export interface ChainWalk extends Stretch {
  readonly companyId: string;
  /** The hash at `after`. */
  readonly hash: Buffer;
}

/**
 * Computes the chain again, posting by posting, and compares what is kept with it. `onHash` is told the hash at every
 * end of a set.
 */
export async function recomputeChain(
  database: Queryable,
  { companyId, after, upto, hash: given }: ChainWalk,
  onHash: (number: number, hash: Buffer) => void = () => {},
): Promise<ChainResult> {
  let hash = given;
  let number = after;
  let set: ChainedPosting[] = [];
  while (number < upto) {
    const stretch = { after: number, upto: Math.min(upto, number + postingsAtOnce) };
    for (const row of await selectPostings(database, companyId, stretch)) {
      number += 1;
      if (row.number !== number)
        return brokenAt(number, "this posting", `posting ${row.number} after ${number - 1}`);
      set.push(toPosting(row));
      if (row.chain === null) continue;
      hash = nextHash(hash, digestOfSet(set));
      if (!hash.equals(row.chain)) {
        const first = number - set.length;
        const changed = await selectMismarked(database, companyId, { after: first, upto: number });
        return brokenAt(
          changed ?? first + 1,
          `${hash.toString("hex")} at posting ${number}`,
          row.chain.toString("hex"),
        );
      }
      set = [];
      onHash(number, hash);
    }
    if (number < stretch.upto) return brokenAt(number + 1, "a posting", "nothing");
  }
  return set.length === 0
    ? { hash }
    : brokenAt(number - set.length + 1, `a set that ends by posting ${upto}`, "no end of it");
}

function brokenAt(number: number, expected: string, found: string): ChainResult {
  return { broken: { number, expected, found } };
}
