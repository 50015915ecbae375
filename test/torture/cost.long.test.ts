import { expect, test } from "vitest";
import { cost } from "../../torture/cost/cost.ts";
import { growthOf, isSteep } from "../../torture/cost/growth.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

/** Always the same inputs, so that the suite says the same of the same code; campaigns send others. */
const seed = 1;

test(cost.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(cost, seed));

test("a cost that grows with the square is told from one that grows with the length, whatever the machine does meanwhile", async () => {
  const lengths = [1_000, 2_000, 4_000];
  // Every second measurement has somebody else's time in it.
  let count = 0;
  const noisy = (ms: number) => ms * ((count += 1) % 2 === 0 ? 5 : 1);
  const linear = await growthOf(lengths, async (length) => noisy(length / 10));
  expect(isSteep(linear, 100)).toBe(false);
  const square = await growthOf(lengths, async (length) => noisy(length ** 2 / 10_000));
  expect(isSteep(square, 100)).toBe(true);
  const little = await growthOf(lengths, async (length) => length ** 2 / 1_000_000);
  expect(isSteep(little, 100)).toBe(false);
});
