import { expect, test } from "vitest";
import { barsPath, roundUp, stepPath } from "./chart-geometry.ts";

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [11, 20],
  [21, 25],
  [99, 100],
  [100, 100],
  [1_234_567, 2_000_000],
  [9_007_199_254_740_991, 10_000_000_000_000_000],
])("above %d the scale ends at %d", (value, round) => {
  expect(roundUp(value)).toBe(round);
});

test("a balance stays where it is until the next day's, and a day without one is a gap", () => {
  expect(stepPath([50, 100, undefined, 0], 100)).toBe("M0 50H10V0H20M30 100H40");
  expect(stepPath([undefined, undefined], 100)).toBe("");
});

test("bars rise from their line, or hang from it, and a day without any has none", () => {
  expect(barsPath([10, -5, 0, undefined], { max: 10, base: 50, height: 50 })).toBe(
    "M1.5 50v-50h7V50zM11.5 50v25h7V50z",
  );
});
