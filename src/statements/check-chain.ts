import type { Queryable } from "../database/database.ts";
import { digestOfSet, leafOf, markOf, nextHash } from "./chain.ts";
import { type Stretch, selectPostings } from "./lines-store.ts";
import { toPosting } from "./to-line.ts";

const postingsAtOnce = 2_000;

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
  { companyId, after, upto, hash: first }: ChainWalk,
  onHash: (number: number, hash: Buffer) => void = () => {},
): Promise<ChainResult> {
  let hash = first;
  let number = after;
  let leaves: Buffer[] = [];
  while (number < upto) {
    const stretch = { after: number, upto: Math.min(upto, number + postingsAtOnce) };
    for (const row of await selectPostings(database, companyId, stretch)) {
      number += 1;
      if (row.number !== number)
        return brokenAt(number, "this posting", `posting ${row.number} after ${number - 1}`);
      const leaf = leafOf(toPosting(row));
      if (row.mark !== markOf(leaf))
        return brokenAt(number, "the posting that was chained", "another, by its mark");
      leaves.push(leaf);
      if (row.chain === null) continue;
      hash = nextHash(hash, digestOfSet(leaves));
      if (!hash.equals(row.chain))
        return brokenAt(
          number - leaves.length + 1,
          `${hash.toString("hex")} at posting ${number}`,
          row.chain.toString("hex"),
        );
      leaves = [];
      onHash(number, hash);
    }
    if (number < stretch.upto) return brokenAt(number + 1, "a posting", "nothing");
  }
  return leaves.length === 0
    ? { hash }
    : brokenAt(number - leaves.length + 1, `a set that ends by posting ${upto}`, "no end of it");
}

function brokenAt(number: number, expected: string, found: string): ChainResult {
  return { broken: { number, expected, found } };
}
