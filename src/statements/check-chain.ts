import type { Queryable } from "../database/database.ts";
import { digestOfSet, nextHash, versionOf } from "./chain.ts";
import { type ChainedRow, type Stretch, selectChainedPostings } from "./lines-store.ts";
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

/** What whoever computes a chain again may want to know of it on the way. */
interface ChainListener {
  /** The hash at every end of a set. */
  readonly onHash?: (number: number, hash: Buffer) => void;
  /** A posting that is what was chained, and bears another mark than it was given. */
  readonly onMismarked?: (number: number) => void;
}

/** Computes the chain again, posting by posting, from what they were for too, and compares what is kept with it. */
export async function recomputeChain(
  database: Queryable,
  { companyId, after, upto, hash: given }: ChainWalk,
  { onHash, onMismarked }: ChainListener = {},
): Promise<ChainResult> {
  let hash = given;
  let number = after;
  let set: ChainedRow[] = [];
  while (number < upto) {
    const stretch = { after: number, upto: Math.min(upto, number + postingsAtOnce) };
    for (const row of await selectChainedPostings(database, companyId, stretch)) {
      number += 1;
      if (row.number !== number)
        return brokenAt(number, "this posting", `posting ${row.number} after ${number - 1}`);
      set.push(row);
      if (row.chain === null) continue;
      const broken = findChange(set, hash, row.chain);
      if (broken !== undefined) return { broken };
      for (const { isMarked, number: changed } of set) if (!isMarked) onMismarked?.(changed);
      hash = row.chain;
      set = [];
      onHash?.(number, hash);
    }
    if (number < stretch.upto) return brokenAt(number + 1, "a posting", "nothing");
  }
  return set.length === 0
    ? { hash }
    : brokenAt(number - set.length + 1, `a set that ends by posting ${upto}`, "no end of it");
}

/** The posting of a set that is not what was chained; the first of the set when none can be told from the others. */
function findChange(
  rows: readonly ChainedRow[],
  before: Buffer,
  after: Buffer,
): BrokenLink | undefined {
  const set = rows.map(toPosting);
  if (versionOf(set, before, after) !== undefined) return undefined;
  const changed = rows.find(({ isMarked }) => !isMarked) ?? rows.find(({ isDated }) => !isDated);
  const { number, event, subject_id: subjectId } = changed ?? rows[0] ?? never();
  const expected = nextHash(before, digestOfSet(set, 2)).toString("hex");
  return {
    number,
    expected: `${expected} at posting ${rows.at(-1)?.number}, with ${event} of ${subjectId}`,
    found: after.toString("hex"),
  };
}

function never(): never {
  throw new Error("a set has a posting");
}

function brokenAt(number: number, expected: string, found: string): ChainResult {
  return { broken: { number, expected, found } };
}
