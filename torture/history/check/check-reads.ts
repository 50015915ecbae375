import type { CompanyIndex } from "./company-index.ts";
import type { Effect } from "./effects.ts";
import type { Sight } from "./sights.ts";

/**
 * Whether one serial order of the postings explains every answer. Each answer is made from the state after some posting: not before what
 * was acknowledged before it was asked for, nor before what an earlier answer has shown, and not after what was begun later.
 * The earliest state that fits is taken for each, in the order in which they were asked for: if any choice explains all of them, this one does.
 */
export function checkReads(
  index: CompanyIndex,
  effects: readonly Effect[],
  sights: readonly Sight[],
): string[] {
  const findings: string[] = [];
  const known = effects
    .filter(({ knownMs }) => knownMs !== Infinity)
    .map(({ knownMs, last }) => ({ atMs: knownMs, number: last }))
    .toSorted((one, other) => one.atMs - other.atMs);
  const ceiling = ceilingOf(index, effects);
  const asked = sights.toSorted((one, other) => one.operation.begunMs - other.operation.begunMs);
  const shown = asked
    .map((sight) => ({ sight, atMs: sight.operation.endedMs }))
    .toSorted((one, other) => one.atMs - other.atMs);
  const takenBy = new Map<Sight, number>();
  let floor = 0;
  let knownPlace = 0;
  let shownPlace = 0;
  for (const sight of asked) {
    const { begunMs, endedMs } = sight.operation;
    for (let next = known[knownPlace]; next !== undefined; next = known[knownPlace]) {
      if (next.atMs >= begunMs) break;
      floor = Math.max(floor, next.number);
      knownPlace += 1;
    }
    for (let next = shown[shownPlace]; next !== undefined; next = shown[shownPlace]) {
      if (next.atMs >= begunMs) break;
      floor = Math.max(floor, takenBy.get(next.sight) ?? 0);
      shownPlace += 1;
    }
    const least = Math.max(floor, sight.least);
    const most = Math.min(sight.most, ceiling(endedMs));
    let number = least;
    while (number <= most && !sight.fits(index.availableAfter(number))) number += 1;
    if (number <= most) takenBy.set(sight, number);
    else {
      const { act, client, node, id } = sight.operation;
      findings.push(
        `no order explains ${act.kind} ${id} of ${client} at ${node}, which shows ${sight.text}: it is of a state after posting ${floor} and up to ${ceiling(endedMs)}, what it shows is from ${sight.least} to ${sight.most}`,
      );
    }
  }
  return findings;
}

/** The last posting that an answer of that moment can know of: whatever is posted behind something begun later was made later. */
function ceilingOf(
  { last }: CompanyIndex,
  effects: readonly Effect[],
): (endedMs: number) => number {
  const byBegun = effects.toSorted((one, other) => one.begunMs - other.begunMs);
  const ceilings: number[] = [];
  let least = last;
  for (const [place, { first }] of [...byBegun.entries()].toReversed()) {
    least = Math.min(least, first - 1);
    ceilings[place] = least;
  }
  return (endedMs) => {
    let [low, high] = [0, byBegun.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((byBegun[middle]?.begunMs ?? 0) > endedMs) high = middle;
      else low = middle + 1;
    }
    return ceilings[low] ?? last;
  };
}
