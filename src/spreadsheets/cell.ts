/**
 * What a cell holds. A text stays a text, also when it looks like a number: phone numbers, references.
 * A moment is what a clock on the wall shows: `2026-11-15 21:35:06`.
 */
export type Cell =
  | { readonly text: string }
  | { readonly amount: number }
  | { readonly moment: string };

export type Row = readonly Cell[];

interface Clock {
  readonly format: Intl.DateTimeFormat;
  /** Lines follow one another so closely that the next one is often in the same second. */
  second: number;
  shown: string;
}

const clocks = new Map<string, Clock>();
const clocksMax = 500;

/** What a clock in that time zone shows at a moment. */
export function toWallClock(at: Date, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? openClock(timeZone);
  const second = Math.floor(at.getTime() / 1_000);
  if (second !== clock.second) {
    clock.shown = clock.format.format(at);
    clock.second = second;
  }
  return clock.shown;
}

function openClock(timeZone: string): Clock {
  if (clocks.size >= clocksMax) clocks.clear();
  // Swedes write the date as we do.
  const options = { dateStyle: "short", timeStyle: "medium", timeZone } as const;
  const format = new Intl.DateTimeFormat("sv-SE", options);
  const clock = { format, second: Number.NaN, shown: "" };
  clocks.set(timeZone, clock);
  return clock;
}
