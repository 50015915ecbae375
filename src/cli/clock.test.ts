import { expect, test } from "vitest";
import { Clock, parseSince, parseUntil } from "./clock.ts";

const niamey = new Clock("Africa/Niamey");
const paris = new Clock("Europe/Paris");

test("moments are shown by the clock on the wall, and whose it is is said", () => {
  const moment = new Date("2026-11-15T23:08:33.120Z");

  expect(niamey.show(moment)).toBe("2026-11-16 00:08:33");
  expect(niamey.show("2026-11-15T23:08:33.120Z")).toBe("2026-11-16 00:08:33");
  expect(niamey.showExactly(moment)).toBe("2026-11-16 00:08:33.120");
  expect(niamey.spell(moment)).toBe("2026-11-16 00:08:33 (Africa/Niamey)");
  expect(niamey.note).toBe("Times are those of Africa/Niamey.");
});

test.for([
  ["2026-01-31", "2026-01-30T23:00:00.000Z", "2026-01-31T22:59:59.999Z"],
  ["2026-01-31 09:00", "2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00.000Z"],
  [" 2026-01-31T09:00:05.25 ", "2026-01-31T08:00:05.250Z", "2026-01-31T08:00:05.250Z"],
  ["2026-01-31T09:00Z", "2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00.000Z"],
  ["2026-01-31T09:00:00.000+03:00", "2026-01-31T06:00:00.000Z", "2026-01-31T06:00:00.000Z"],
] as const)(
  "%s is read by the same clock, and as the last of a range a day is whole",
  ([typed, since, until]) => {
    expect(parseSince(typed)(niamey).toISOString()).toBe(since);
    expect(parseUntil(typed)(niamey).toISOString()).toBe(until);
  },
);

test("what is shown can be typed, also in the hours around a clock that is put forward or back", () => {
  for (const moment of ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-10-25T01:30:00Z"])
    expect(parseSince(paris.show(moment))(paris)).toEqual(new Date(moment));
});

test("how long ago is counted from the moment it was typed", () => {
  const before = Date.now();
  const moment = parseSince("90m")(niamey).getTime();

  expect(moment).toBeGreaterThanOrEqual(before - 5_400_000);
  expect(moment).toBeLessThanOrEqual(Date.now() - 5_400_000);
});

test.for(["yesterday", "2026-02-30", "2026-01-31 25:00", "31/01/2026", "2026-01-31 9:00", ""])(
  "%j is no moment",
  (text) => {
    for (const parse of [parseSince, parseUntil])
      expect(() => parse(text)).toThrow("Give a day or a moment such as 2026-01-31");
  },
);
