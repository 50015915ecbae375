import { InvalidRequest } from "../../http/errors.ts";
import { dayBefore, dayOf } from "../../kernel/days.ts";
import { readPeriod } from "../../statements/period.ts";
import type { Period } from "../../statements/statement.ts";

/** The period of a statement as it stands in the address: days, both included. */
export interface AskedPeriod {
  readonly from: string;
  readonly to: string;
  /** Such as 2026-03, when it is a whole month. */
  readonly month: string;
  /** Undefined: nobody can understand it. */
  readonly period: Period | undefined;
}

const monthShape = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** A month, or two days; without either the month that it is. */
export function readAsked(query: URLSearchParams, now: Date, timeZone: string): AskedPeriod {
  const [from, to] = [query.get("from")?.trim() ?? "", query.get("to")?.trim() ?? ""];
  const asked = query.get("month")?.trim() ?? "";
  if (asked === "" && (from !== "" || to !== ""))
    return { from, to, month: "", period: periodOf(from, to, timeZone) };
  const month = asked === "" ? dayOf(now, timeZone).slice(0, 7) : asked;
  if (!monthShape.test(month)) return { from: "", to: "", month, period: undefined };
  const first = `${month}-01`;
  const last = dayBefore(monthAfter(month));
  return { from: first, to: last, month, period: periodOf(first, last, timeZone) };
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, "0")}-01-01`
    : `${String(year).padStart(4, "0")}-${String(number + 1).padStart(2, "0")}-01`;
}

function periodOf(from: string, to: string, timeZone: string): Period | undefined {
  try {
    const given = (text: string) => (text === "" ? undefined : text.slice(0, 40));
    return readPeriod(timeZone, { from: given(from), to: given(to) });
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined;
    throw error;
  }
}
