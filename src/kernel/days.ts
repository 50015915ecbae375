/** Days as people count them: from midnight to midnight where they are. */

const dayShape = /^(\d{4})-(\d{2})-(\d{2})$/;
const hourMs = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day that a moment belongs to in a time zone, such as 2026-01-31. */
export function dayOf(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format.format(moment);
}

/** Whether a text is a day that there is. */
export function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00.000Z`);
  return (
    dayShape.test(text) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
  );
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + 24 * hourMs).toISOString().slice(0, 10);
}

export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) - 24 * hourMs).toISOString().slice(0, 10);
}

/** The first moment of a day in a time zone. Found by halving, so that a midnight that summer time leaves out does no harm. */
export function startOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00.000Z`);
  // No time zone is further than a day from UTC.
  let before = utc - 26 * hourMs;
  let after = utc + 26 * hourMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(new Date(middle), timeZone) < day) before = middle;
    else after = middle;
  }
  return new Date(after);
}
