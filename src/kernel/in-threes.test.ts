import { expect, test } from "vitest";
import { inThrees } from "./in-threes.ts";

test.for([
  ["0", "0"],
  ["999", "999"],
  ["1000", "1,000"],
  ["25000", "25,000"],
  ["-250000", "-250,000"],
  ["9007199254740991", "9,007,199,254,740,991"],
  ["", ""],
] as const)("%j is written %j", ([digits, written]) => {
  expect(inThrees(digits, ",")).toBe(written);
});
