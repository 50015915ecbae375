import { expect, test } from "vitest";
import { feeOf } from "../kernel/amount.ts";
import { countryDefault, findCountry } from "../kernel/countries.ts";
import type { Account } from "./paymaster.ts";
import type { Payout } from "./payout.ts";
import { chunksOfPlan, keyOf } from "./plan.ts";
import { checkBalance, reviewPayouts } from "./review.ts";

const account: Account = {
  companyId: "com_1",
  name: "Boutique Awa",
  country: findCountry("SN") ?? countryDefault,
  timeZone: countryDefault.timeZone,
  transferAmount: { min: 5_000, max: 500_000 },
  transferFee: { ratePpm: 10_000, flat: 25, min: 100, max: 2_000 },
};

const payouts = [7_000, 5_000, 9_000, 500_000, 5_050, 9_000, 8_000].map(payout);

test("totals, the exact fee of each row, the balance after and the five largest", () => {
  const review = reviewPayouts(account, 600_000, payouts);

  const fees = payouts.reduce((sum, { amount }) => sum + feeOf(amount, account.transferFee), 0);
  expect(review).toMatchObject({ count: 7, total: 543_050, fees, balance: 600_000 });
  expect(review.balanceAfter).toBe(600_000 - 543_050 - fees);
  expect(review.largest.map(({ line, amount }) => [line, amount])).toEqual([
    [5, 500_000],
    [4, 9_000],
    [7, 9_000],
    [8, 8_000],
    [2, 7_000],
  ]);
  expect(checkBalance(review)).toEqual([]);
});

test("a balance that is one franc short is found, and one that is just enough is not", () => {
  const { total, fees } = reviewPayouts(account, 0, payouts);

  expect(checkBalance(reviewPayouts(account, total + fees, payouts))).toEqual([]);
  const [short] = checkBalance(reviewPayouts(account, total + fees - 1, payouts));
  expect(short).toMatchObject({ line: null, code: "balance_too_low" });
  expect(short?.message.en).toContain(": 1 are missing");
});

test("a plan's chunks are the rows in order, and a key is the same for the same rows alone", () => {
  const chunks = [...chunksOfPlan({ chunkRows: 3 }, payouts)];

  expect(chunks.map(({ start, payouts: rows }) => [start, rows.length])).toEqual([
    [0, 3],
    [3, 3],
    [6, 1],
  ]);
  expect(chunks.flatMap(({ payouts: rows }) => rows)).toEqual(payouts);
  expect(keyOf(payouts)).toBe(keyOf(payouts.map((one) => ({ ...one }))));
  expect(keyOf(payouts)).toMatch(/^[\x20-\x7e]{1,255}$/);
  const changes: Partial<Payout>[] = [
    { amount: 7_001 },
    { msisdn: "221770000009" },
    { reference: "other" },
    { description: "x" },
  ];
  for (const change of changes)
    expect(keyOf(payouts.with(0, { ...payout(7_000, 0), ...change }))).not.toBe(keyOf(payouts));
});

function payout(amount: number, index: number): Payout {
  return {
    line: index + 2,
    msisdn: `22177000000${index}`,
    amount,
    reference: `r${index}`,
    hasOwnReference: true,
    description: null,
  };
}
