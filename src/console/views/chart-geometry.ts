/** A chart is so high inside, whatever its size on the page; each of its days is so wide. */
export const plotHeight = 100;
export const dayWidth = 10;
/** Of a bar. The rest is the gap to the next. */
const barWidth = 7;

/** The next round number: 1, 2, 2.5 or 5 and zeros. At least 1, so that nothing is divided by nothing. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((round) => round >= value) ?? 1;
}

/**
 * A line that stays where it is until the next day's value: what a balance does. A day without a value is a gap. Values are
 * from 0 to `max`, counted from the bottom.
 */
export function stepPath(values: readonly (number | undefined)[], max: number): string {
  let path = "";
  let isDrawing = false;
  for (const [place, value] of values.entries()) {
    if (value === undefined) {
      isDrawing = false;
      continue;
    }
    const y = short(plotHeight * (1 - value / max));
    path += isDrawing ? `V${y}` : `M${place * dayWidth} ${y}`;
    path += `H${(place + 1) * dayWidth}`;
    isDrawing = true;
  }
  return path;
}

/** Bars from a line at `base` upwards, or downwards where the value is negative. `height` is that of `max`. */
export function barsPath(
  values: readonly (number | undefined)[],
  { max, base, height }: { readonly max: number; readonly base: number; readonly height: number },
): string {
  return values
    .map((value, place) => {
      if (value === undefined || value === 0) return "";
      const x = place * dayWidth + (dayWidth - barWidth) / 2;
      const rise = short((-value / max) * height);
      return `M${x} ${base}v${rise}h${barWidth}V${base}z`;
    })
    .join("");
}

/** Two digits behind the point are finer than a screen. */
function short(value: number): number {
  return Math.round(value * 100) / 100;
}
