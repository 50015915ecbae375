/**
 * What a cell holds. A text stays a text, also when it looks like a number: phone numbers, references.
 * A moment is what a clock on the wall shows: `2026-11-15 21:35:06`.
 */
export type Cell =
  | { readonly text: string }
  | { readonly amount: number }
  | { readonly moment: string };

export type Row = readonly Cell[];

const clocks = new Map<string, Intl.DateTimeFormat>();
const clocksMax = 500;

/** What a clock in that time zone shows at a moment. */
export function toWallClock(at: Date, timeZone: string): string {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    if (clocks.size >= clocksMax) clocks.clear();
    // Swedes write the date as we do.
    clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
    clocks.set(timeZone, clock);
  }
  return clock.format(at);
}
