/**
 * Among rows that are numbered 1 to `last` in the order of their times: the number of the first that is not before a
 * moment, `last + 1` when all are. It asks for as many rows as the numbers have bits, so that what happened at a moment
 * is found without an index of times.
 */
export async function numberAt(
  last: number,
  moment: Date,
  timeOf: (number: number) => Promise<Date | undefined>,
): Promise<number> {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const time = await timeOf(middle);
    if (time !== undefined && time < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
