/** Per doubling. */
const timesMax = 3;
const rounds = 3;
/** Less cannot be told apart. */
const leastMs = 10;

/**
 * What each length costs, at best: others use the machine too, and rubbish is taken away now and then. Measured again only while
 * there is a suspicion.
 */
export async function growthOf(
  lengths: readonly number[],
  measure: (length: number) => Promise<number>,
): Promise<readonly number[]> {
  let best = lengths.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    const costs: number[] = [];
    for (const length of lengths) costs.push(await measure(length));
    best = best.map((cost, place) => Math.min(cost, costs[place] ?? cost));
    if (!isSteep(best, 0)) break;
  }
  return best;
}

/** Whether one doubling more than triples the cost, where that cost is more than a little. */
export function isSteep(costs: readonly number[], littleMs: number): boolean {
  return costs.some((cost, place) => {
    const before = costs[place - 1];
    return before !== undefined && cost > littleMs && cost > timesMax * Math.max(before, leastMs);
  });
}
