import { expect, test } from "vitest";
import { causeOf } from "./stalls.ts";

test.for([
  [300, 290, "work"],
  [300, 150, "work"],
  [300, 149, "machine"],
  [1_200, 438, "work"],
  [60_000, 250, "work"],
  [60_000, 249, "machine"],
  [5_000, 0, "machine"],
] as const)("%d ms, of which %d ms of CPU: %s", ([ms, cpuMs, cause]) => {
  expect(causeOf(ms, cpuMs)).toBe(cause);
});
