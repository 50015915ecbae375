import { InvalidArgumentError } from "commander";
import { dayAfter, isDay, startOfDay } from "../kernel/days.ts";
import { toWallClock } from "../spreadsheets/cell.ts";
import { parseDuration } from "./read-options.ts";

/** How a person is told moments and tells them: by the clock on the wall, where the company is. `--json` has them in UTC. */
export class Clock {
  readonly timeZone: string;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** `2026-11-15 21:35:06` */
  show(moment: Date | string): string {
    return toWallClock(new Date(moment), this.timeZone);
  }

  /** `2026-11-15 21:35:06.120`, where the order of things within a second matters. */
  showExactly(moment: Date): string {
    return `${this.show(moment)}.${String(moment.getUTCMilliseconds()).padStart(3, "0")}`;
  }

  /** For a sentence, which says whose time it is by itself. */
  spell(moment: Date): string {
    return `${this.show(moment)} (${this.timeZone})`;
  }

  /** Below a table. */
  get note(): string {
    return `Times are those of ${this.timeZone}.`;
  }
}

/** A moment that somebody has typed: which one it is may depend on whose clock is meant. */
export type TypedMoment = (clock: Clock) => Date;

/** A day begins where the company is. */
export function parseSince(text: string): TypedMoment {
  return readTyped(text, (day, { timeZone }) => startOfDay(day, timeZone));
}

/** A day is included, to its last millisecond. */
export function parseUntil(text: string): TypedMoment {
  return readTyped(
    text,
    (day, { timeZone }) => new Date(startOfDay(dayAfter(day), timeZone).getTime() - 1),
  );
}

function readTyped(text: string, ofDay: (day: string, clock: Clock) => Date): TypedMoment {
  const typed = text.trim();
  if (/^\d+[smhd]$/.test(typed)) {
    const moment = new Date(Date.now() - parseDuration(typed) * 1_000);
    return () => moment;
  }
  if (isDay(typed)) return (clock) => ofDay(typed, clock);
  const [, day = "", time = "", zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(typed) ??
    [];
  const inUtc = new Date(`${day}T${time}${zone ?? "Z"}`);
  if (!isDay(day) || Number.isNaN(inUtc.getTime()))
    throw new InvalidArgumentError(
      "Give a day or a moment such as 2026-01-31 or '2026-01-31 09:00', or how long ago: 24h.",
    );
  return zone === undefined ? (clock) => momentAt(inUtc, clock) : () => inUtc;
}

/** The moment at which the clock shows what a clock in UTC shows at another. A clock that is put forward skips an hour; then the hour after it. */
function momentAt(inUtc: Date, { timeZone }: Clock): Date {
  const ahead = (at: number) =>
    Date.parse(`${toWallClock(new Date(at), timeZone).replace(" ", "T")}Z`) -
    Math.floor(at / 1_000) * 1_000;
  // How far the clock is ahead is asked about twice: at the first guess it may not have been put forward or back yet.
  const guess = inUtc.getTime() - ahead(inUtc.getTime());
  return new Date(inUtc.getTime() - ahead(guess));
}
