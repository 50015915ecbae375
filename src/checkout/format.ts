import type { Words } from "./words/fr.ts";

/** The time zone of Abidjan, Dakar and Lomé, which is UTC. Pages show all times in it. */
const timeZone = "Africa/Abidjan";

/** "25 000 F CFA" with non-breaking spaces only, which old phones' fonts have; "XOF 25,000" in English. */
export function formatAmount(words: Words, francs: number): string {
  const digits = Math.abs(francs)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${francs < 0 ? "\u2212" : ""}${words.currency(digits)}`;
}

/** An amount with a plus sign when it was received, for a history that lists both directions. */
export function formatMovement(words: Words, francs: number): string {
  return `${francs > 0 ? "+" : ""}${formatAmount(words, francs)}`;
}

/** A text message's alphabet has no non-breaking space; one would halve what fits into a message. */
export function toPlainSpaces(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

export function formatTime(at: Date): string {
  return at.toISOString().slice(11, 16);
}

/** Date formats by language and length, each made once: making one takes longer than rendering a page. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatDate(words: Words, at: Date, month: "long" | "short"): string {
  const key = words.locale + month;
  let format = dateFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(words.locale, {
      day: "numeric",
      month,
      year: "numeric",
      timeZone,
    });
    dateFormats.set(key, format);
  }
  return format.format(at).replaceAll("\u202f", "\u00a0");
}

export function formatMoment(words: Words, at: Date): string {
  return words.at(formatDate(words, at, "long"), formatTime(at));
}

/** The short form of a moment, for a list that has one in every line. */
export function formatShortMoment(words: Words, at: Date): string {
  return `${formatDate(words, at, "short")}, ${formatTime(at)}`;
}

/**
 * When a charge expires and how long that is from now. It is told as of the moment the page is made: a page has no
 * running clock.
 */
export function formatExpiry(words: Words, now: Date, expiresAt: Date): string {
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs >= 12 * 3_600_000)
    return words.expiresLater(formatDate(words, expiresAt, "long"), formatTime(expiresAt));
  return words.expires(formatTime(expiresAt), formatDuration(words, Math.floor(leftMs / 1_000)));
}

function formatDuration(words: Words, seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return words.lessThanAMinute;
  if (minutes < 60) return words.minutes(minutes);
  const rest = minutes % 60;
  const hours = words.hours(Math.floor(minutes / 60));
  return rest === 0 ? hours : `${hours} ${words.minutes(rest)}`;
}

/** How long somebody has to wait: seconds while they can be counted, then whole minutes, hours, days, rounded up. */
export function formatWait(words: Words, seconds: number): string {
  if (seconds < 100) return words.seconds(seconds);
  if (seconds <= 2 * 3_600) return words.minutes(Math.ceil(seconds / 60));
  return seconds <= 2 * 86_400
    ? words.hours(Math.ceil(seconds / 3_600))
    : words.days(Math.ceil(seconds / 86_400));
}

/** Enough to recognise one's own phone, not enough to learn another's. */
export function maskPhone(msisdn: string): string {
  return `••\u00a0••\u00a0••\u00a0${msisdn.slice(-2)}`;
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
