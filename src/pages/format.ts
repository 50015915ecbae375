import { inThrees } from "../kernel/in-threes.ts";

/** What a language has to say of amounts and moments. */
interface FormatWords {
  readonly locale: string;
  /** Digits with commas between their groups, as an amount. */
  readonly currency: (francs: string) => string;
  readonly at: (date: string, time: string) => string;
}

interface DurationWords {
  readonly lessThanAMinute: string;
  readonly seconds: (count: number) => string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
}

/** "25 000 F CFA" with non-breaking spaces only, which old phones' fonts have; "XOF 25,000" in English. */
export function formatAmount(words: Pick<FormatWords, "currency">, francs: number): string {
  const digits = inThrees(String(Math.abs(francs)), ",");
  return `${francs < 0 ? "\u2212" : ""}${words.currency(digits)}`;
}

/** An amount with a plus sign when it was received, for a history that lists both directions. */
export function formatMovement(words: Pick<FormatWords, "currency">, francs: number): string {
  return `${francs > 0 ? "+" : ""}${formatAmount(words, francs)}`;
}

/** Formats by language, zone and parts, each made once: making one takes longer than rendering a page. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(
  locale: string,
  timeZone: string,
  parts: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = [locale, timeZone, ...Object.values(parts)].join(" ");
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...parts, timeZone });
  formats.set(key, format);
  return format;
}

const clock = {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "shortOffset",
} as const;

/** "14:44 GMT", "15:44 GMT+1": countries of the union differ by an hour, and so do payer and shop. */
export function formatTime(timeZone: string, at: Date): string {
  return formatOf("en-GB", timeZone, clock)
    .format(at)
    .replace(/\+0$/, "")
    .replaceAll(/\s/g, "\u00a0");
}

export function formatDate(
  words: Pick<FormatWords, "locale">,
  timeZone: string,
  at: Date,
  month: "long" | "short",
): string {
  return formatOf(words.locale, timeZone, { day: "numeric", month, year: "numeric" })
    .format(at)
    .replaceAll("\u202f", "\u00a0");
}

export function formatMoment(
  words: Pick<FormatWords, "at" | "locale">,
  timeZone: string,
  at: Date,
): string {
  return words.at(formatDate(words, timeZone, at, "long"), formatTime(timeZone, at));
}

/** The short form of a moment, for a list that has one in every line. */
export function formatShortMoment(
  words: Pick<FormatWords, "locale">,
  timeZone: string,
  at: Date,
): string {
  return `${formatDate(words, timeZone, at, "short")}, ${formatTime(timeZone, at)}`;
}

/** How long something lasts at least. */
export function formatDuration(words: DurationWords, seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return words.lessThanAMinute;
  if (minutes < 60) return words.minutes(minutes);
  const rest = minutes % 60;
  const hours = words.hours(Math.floor(minutes / 60));
  return rest === 0 ? hours : `${hours} ${words.minutes(rest)}`;
}

/** How long somebody has to wait: seconds while they can be counted, then whole minutes, hours, days, rounded up. */
export function formatWait(words: DurationWords, seconds: number): string {
  if (seconds < 100) return words.seconds(seconds);
  if (seconds <= 2 * 3_600) return words.minutes(Math.ceil(seconds / 60));
  return seconds <= 2 * 86_400
    ? words.hours(Math.ceil(seconds / 3_600))
    : words.days(Math.ceil(seconds / 86_400));
}

/** Two letters in place of a logo: the first of the first two words. */
export function initialsOf(name: string): string {
  const letters = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, 2)
    .map((word) => clip(word, 1));
  return letters.join("").toUpperCase();
}

const characters = new Intl.Segmenter();

/** The first characters of a text, as people count them: no letter loses its accent, no sign is cut in two. */
export function clip(text: string, lengthMax: number): string {
  let clipped = "";
  let length = 0;
  for (const { segment } of characters.segment(text)) {
    length += 1;
    if (length > lengthMax) break;
    clipped += segment;
  }
  return clipped;
}
