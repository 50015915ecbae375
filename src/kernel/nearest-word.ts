/** Longer words are not compared: who wrote one meant none of ours. */
const charsMax = 64;

/** The word that somebody most likely meant; undefined when none is near. Letter case, - and _ make no difference. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  if (written.length > charsMax) return undefined;
  const plain = plainOf(written);
  let nearest: string | undefined;
  // One mistake in a short word, two in a longer one: half of the word is another word.
  let best = Math.min(2, Math.floor(plain.length / 3)) + 1;
  for (const word of known) {
    const distance = distanceOf(plain, plainOf(word), best);
    if (distance >= best) continue;
    best = distance;
    nearest = word;
  }
  return nearest;
}

function plainOf(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, "");
}

/** How many letters were left out, added, changed or swapped with their neighbour; `limit` when it is that many or more. */
function distanceOf(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let steps = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        steps = Math.min(steps, (before[column - 2] ?? limit) + 1);
      next.push(steps);
    }
    before = last;
    last = next;
  }
  return Math.min(last[other.length] ?? limit, limit);
}
