import { InvalidRequest } from "../http/errors.ts";
import { readMoment } from "../http/moment.ts";
import { dayAfter, isDay, startOfDay } from "../kernel/days.ts";
import type { Period } from "./statement.ts";

/** Before the first posting of any company, and after the last one that a calendar of four digits can name. */
const earliest = new Date("2000-01-01T00:00:00.000Z");
const latest = new Date("9000-01-01T00:00:00.000Z");

/** Days of a time zone, or moments, both included. A statement knows milliseconds and nothing smaller. */
export function readPeriod(
  timeZone: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Period {
  const period = {
    from: from === undefined ? undefined : readEdge("from", from, timeZone).first,
    until: to === undefined ? undefined : readEdge("to", to, timeZone).after,
  };
  if (period.from !== undefined && period.until !== undefined && period.until <= period.from)
    throw InvalidRequest.field("to", {
      en: "to is before from; a statement goes forward in time.",
      fr: "to précède from. Un relevé va du passé vers le présent.",
    });
  return period;
}

/** The first moment of what a parameter names, and the first one after it. */
function readEdge(
  field: string,
  text: string,
  timeZone: string,
): { readonly first: Date; readonly after: Date } {
  const day = text.slice(0, 10);
  if (!isDay(day))
    throw InvalidRequest.field(field, {
      en: `${field} is neither a day nor a moment; it must be one, such as 2026-01-31 or 2026-01-31T00:00:00.000Z.`,
      fr: `${field} n’est ni un jour ni un instant. Valeur attendue\u00a0: un jour ou un instant, par exemple 2026-01-31 ou 2026-01-31T00:00:00.000Z.`,
    });
  if (day === text)
    return {
      first: within(startOfDay(day, timeZone)),
      after: within(startOfDay(dayAfter(day), timeZone)),
    };
  const moment = readMoment(field, text);
  return { first: within(moment), after: within(new Date(moment.getTime() + 1)) };
}

function within(moment: Date): Date {
  return new Date(Math.min(Math.max(moment.getTime(), earliest.getTime()), latest.getTime()));
}
