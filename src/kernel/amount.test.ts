import fc from "fast-check";
import { expect, test } from "vitest";
import { amount, amountMax, balanceMax, feeOf, shareOf } from "./amount.ts";

const free = { ratePpm: 0, flat: 0, min: 0, max: null };

test.each([
  [5_000, { ...free }, 0],
  [5_000, { ...free, ratePpm: 10_000 }, 50],
  [5_050, { ...free, ratePpm: 10_000 }, 51],
  [5_049, { ...free, ratePpm: 10_000 }, 50],
  [5_000, { ...free, ratePpm: 10_000, flat: 25 }, 75],
  [5_000, { ...free, ratePpm: 10_000, min: 100 }, 100],
  [5_000, { ...free, ratePpm: 10_000, flat: 40, min: 100 }, 100],
  [5_000, { ...free, ratePpm: 10_000, flat: 80, min: 100 }, 130],
  [500_000, { ...free, ratePpm: 10_000, max: 1_000 }, 1_000],
  [200_000_000, { ...free, ratePpm: 999_999 }, 199_999_800],
])("the fee on %d under %o is %d", (base, rule, fee) => {
  expect(feeOf(base, rule)).toBe(fee);
});

test("a fee is exact for every amount that a number can hold, and so are the largest together", () => {
  const francs = fc.oneof(
    fc.integer({ min: 1, max: balanceMax }),
    fc.integer({ min: balanceMax - 10_000, max: balanceMax }),
  );
  fc.assert(
    fc.property(francs, fc.integer({ min: 0, max: 999_999 }), (base, ratePpm) => {
      const exact = (BigInt(base) * BigInt(ratePpm) + 500_000n) / 1_000_000n;
      expect(BigInt(feeOf(base, { ...free, ratePpm }))).toBe(exact);
    }),
    { numRuns: 2_000 },
  );
  const most = { ratePpm: 999_999, flat: amountMax, min: amountMax, max: null };
  expect(10_000 * (amountMax + feeOf(amountMax, most))).toBeLessThan(balanceMax);
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d is not an amount", (wrong) => {
  expect(() => amount(wrong)).toThrow("whole number of francs");
});

test.each([
  [100, 0, 3, 0],
  [100, 1, 3, 33],
  [100, 2, 3, 67],
  [100, 3, 3, 100],
  [1, 1, 2, 1],
  [0, 1, 2, 0],
  [999_999_999, 999_999_998, 1_000_000_000, 999_999_997],
])("of %d the same share as %d of %d is %d, half up", (whole, part, total, share) => {
  expect(shareOf(whole, part, total)).toBe(share);
});
