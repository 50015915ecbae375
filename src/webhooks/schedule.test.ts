import { describe, expect, test } from "vitest";
import { nextDelayMs, readRetryAfter, triesMax } from "./schedule.ts";

const now = new Date("2026-01-31T09:15:00Z");
/** The pauses of the decision, in seconds: 5 s, 30 s, 2 m, 10 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const pauses = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe("the schedule", () => {
  test("twelve tries over more than 75 hours, each pause up to 20 % shorter or longer", () => {
    expect(triesMax).toBe(12);
    for (const [random, factor] of [
      [0, 0.8],
      [0.5, 1],
      [1, 1.2],
    ] as const) {
      const delays = Array.from({ length: 12 }, (_, index) => nextDelayMs(index + 1, 0, random));
      expect(delays).toEqual([
        ...pauses.map((pause) => Math.round(pause * factor * 1_000)),
        undefined,
      ]);
    }
    const sum = pauses.reduce((total, pause) => total + pause, 0);
    expect(sum).toBeGreaterThan(75 * 3_600);
  });

  test("without a number of its own it is spread at random, within the same bounds", () => {
    const delays = Array.from({ length: 200 }, () => nextDelayMs(1, 0) ?? 0);

    expect(Math.min(...delays)).toBeGreaterThanOrEqual(4_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(6_000);
    expect(new Set(delays).size).toBeGreaterThan(20);
  });
});

describe("Retry-After", () => {
  test("seconds are heard when they are more than the schedule's pause, up to an hour", () => {
    const after = (text: string) => nextDelayMs(1, readRetryAfter(now, text), 0.5);

    expect(after("120")).toBe(120_000);
    expect(after("3600")).toBe(3_600_000);
    expect(["3601", "86400", "999999999", "99999999999999999999"].map(after)).toEqual(
      Array.from({ length: 4 }, () => 3_600_000),
    );
    expect(["0", "1", "4", "", "soon", "-120", "1.5", "1e9", "0x99"].map(after)).toEqual(
      Array.from({ length: 9 }, () => 5_000),
    );
  });

  test("a date is heard too; one that has passed changes nothing", () => {
    const inMinutes = (minutes: number) => {
      const date = new Date(now.getTime() + minutes * 60_000).toUTCString();
      return nextDelayMs(1, readRetryAfter(now, date), 0.5) ?? 0;
    };

    expect(inMinutes(10)).toBeGreaterThan(590_000);
    expect(inMinutes(10)).toBeLessThanOrEqual(600_000);
    expect(inMinutes(600)).toBe(3_600_000);
    expect(inMinutes(-10)).toBe(5_000);
  });

  test("it never shortens a pause and never adds a try", () => {
    expect(nextDelayMs(11, readRetryAfter(now, "3600"), 0.5)).toBe(86_400_000);
    expect(nextDelayMs(12, readRetryAfter(now, "60"), 0.5)).toBeUndefined();
  });
});
