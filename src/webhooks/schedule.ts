const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait before the second attempt, the third, …: twelve attempts over more than 75 hours. */
const delaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
export const triesMax = delaysMs.length + 1;

const jitterShare = 0.2;
const retryAfterMaxMs = hour;

/**
 * The pause after a failed attempt; undefined when it was the last. Spread by ±20 %, so that what failed
 * together does not come back together. A receiver that asks for a longer pause gets it.
 */
export function nextDelayMs(
  tries: number,
  askedMs: number,
  random = Math.random(),
): number | undefined {
  const delay = delaysMs[tries - 1];
  if (delay === undefined) return undefined;
  const spread = Math.round(delay * (1 + jitterShare * (2 * random - 1)));
  return Math.max(spread, askedMs);
}

/**
 * The pause that a Retry-After header asks for, up to an hour: seconds or a date, as RFC 9110 has it; 0 when it is absent
 * or not understood.
 */
export function readRetryAfter(now: Date, text: string | undefined): number {
  return Math.min(retryAfterMaxMs, parseRetryAfter(now, text));
}

function parseRetryAfter(now: Date, text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d+$/.test(text)) return Number(text) * second;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - now.getTime());
}
