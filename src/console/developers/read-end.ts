import { isDay, startOfDay } from "../../kernel/days.ts";

const dayMs = 86_400_000;
const overlapMaxMs = 90 * dayMs;
const overlaps: readonly string[] = ["0", "3600", "86400", "604800"];

/** When the old key ends, as a form says it: in so many seconds, or at a moment of the company's clock. Undefined: not within 90 days. */
export function readEnd(form: URLSearchParams, now: Date, timeZone: string): Date | undefined {
  const overlap = form.get("overlap") ?? "";
  if (overlaps.includes(overlap)) return new Date(now.getTime() + Number(overlap) * 1_000);
  const [, day = "", hours, minutes] =
    /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?$/.exec(form.get("until") ?? "") ?? [];
  if (overlap !== "moment" || !isDay(day)) return undefined;
  const sinceMidnightMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const endsAt = new Date(startOfDay(day, timeZone).getTime() + sinceMidnightMs);
  const ms = endsAt.getTime() - now.getTime();
  return ms > 0 && ms <= overlapMaxMs ? endsAt : undefined;
}
