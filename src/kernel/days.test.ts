import { expect, test } from "vitest";
import { dayAfter, dayOf, isDay, startOfDay } from "./days.ts";

test.each([
  ["2026-01-31", "Africa/Dakar", "2026-01-31T00:00:00.000Z"],
  ["2026-01-31", "Africa/Niamey", "2026-01-30T23:00:00.000Z"],
  ["2026-01-31", "Pacific/Kiritimati", "2026-01-30T10:00:00.000Z"],
  ["2026-01-31", "Pacific/Pago_Pago", "2026-01-31T11:00:00.000Z"],
  // Summer time begins at midnight there: the day's first hour does not exist.
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
])("%s begins in %s at %s", (day, timeZone, moment) => {
  const start = startOfDay(day, timeZone);

  expect(start.toISOString()).toBe(moment);
  expect(dayOf(start, timeZone)).toBe(day);
  expect(dayOf(new Date(start.getTime() - 1), timeZone) < day).toBe(true);
});

test("a day is one of the calendar", () => {
  expect(["2026-02-28", "2024-02-29", "0001-01-01"].filter((text) => !isDay(text))).toEqual([]);
  expect(
    ["2026-02-29", "2026-13-01", "2026-1-1", "2026-01-31T00:00", "", "20260131"].filter(isDay),
  ).toEqual([]);
  expect(dayAfter("2026-02-28")).toBe("2026-03-01");
});
