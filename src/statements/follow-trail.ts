import type { Queryable } from "../database/database.ts";
import { nameOfTrail, nextHead, type TrailHead, type TrailName } from "./trail-chain.ts";
import { selectChained } from "./trail-chain-store.ts";

const pageSize = 1_000;

/** An entry that is not what was chained. */
export interface BrokenTrail {
  readonly where: string;
  readonly number: number;
  readonly expected: string;
  readonly found: string;
}

export type TrailResult =
  | { readonly head: TrailHead; readonly broken?: never }
  | { readonly broken: BrokenTrail };

/** Computes a chain again from an entry on, to its end. That entry must still be there, and be the same. */
export async function followTrail(
  database: Queryable,
  trail: TrailName,
  from: TrailHead,
): Promise<TrailResult> {
  if (from.number > 0) {
    const [first] = await selectChained(database, trail, from.number - 1, 1);
    if (first?.number !== from.number) return brokenAt(trail, from.number, "an entry", "nothing");
    if (first.hash?.equals(from.hash) !== true)
      return brokenAt(trail, from.number, "what was sealed", "another history");
  }
  let head = from;
  for (;;) {
    const page = await selectChained(database, trail, head.number, pageSize);
    for (const { number, hash, fields } of page) {
      const next = nextHead(head, fields);
      if (number !== next.number)
        return brokenAt(trail, next.number, "the next entry", `entry ${number}`);
      if (hash?.equals(next.hash) !== true)
        return brokenAt(trail, next.number, "what was chained", "another");
      head = next;
    }
    if (page.length < pageSize) return { head };
  }
}

export function brokenAt(
  trail: TrailName,
  number: number,
  expected: string,
  found: string,
): { readonly broken: BrokenTrail } {
  const where = `entry ${number} of the trail of ${nameOfTrail(trail)}`;
  return { broken: { where, number, expected, found } };
}
