import assert from "node:assert/strict";

/** Whole francs. XOF has no smaller unit in use, so an amount is an integer and stays one. */
export type Amount = number & { readonly [brand]: true };
declare const brand: unique symbol;

/** The most that one transfer, charge or part of a fee may be; the database keeps to it too. */
export const amountMax = 1_000_000_000;

/** The most that an account may hold, which is all that a number holds exactly; the database keeps to it too. */
export const balanceMax = Number.MAX_SAFE_INTEGER;

export function amount(francs: number): Amount {
  assert(Number.isSafeInteger(francs), `${francs} is not a whole number of francs`);
  return francs as Amount;
}

export interface FeeRule {
  /** Parts per million: 1 % is 10 000. An integer, so that no fee depends on how a fraction is rounded. */
  readonly ratePpm: number;
  readonly flat: number;
  readonly min: number;
  readonly max: number | null;
}

/** The same share of `whole` as `part` is of `total`: whole francs, half up, exact at any size. */
export function shareOf(whole: number, part: number, total: number): Amount {
  const [w, p, t] = [BigInt(whole), BigInt(part), BigInt(total)];
  return amount(Number((2n * w * p + t) / (2n * t)));
}

/** Whole francs, half up. Exact at any size: the millions of the amount are multiplied apart from the rest. */
export function feeOf(base: number, rule: FeeRule): Amount {
  const rest = base % 1_000_000;
  const ofMillions = ((base - rest) / 1_000_000) * rule.ratePpm;
  const proportional = ofMillions + Math.floor((rest * rule.ratePpm + 500_000) / 1_000_000);
  const fee = Math.max(rule.min, proportional + rule.flat);
  return amount(rule.max === null ? fee : Math.min(rule.max, fee));
}
