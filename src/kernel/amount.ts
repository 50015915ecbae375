import assert from "node:assert/strict";

/** Whole francs. XOF has no smaller unit in use, so an amount is an integer and stays one. */
export type Amount = number & { readonly [brand]: true };
declare const brand: unique symbol;

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

/** Whole francs, half up. Exact: the largest amount times a million stays far below 2^53. */
export function feeOf(base: number, rule: FeeRule): Amount {
  const proportional = Math.floor((base * rule.ratePpm + 500_000) / 1_000_000);
  const fee = Math.max(rule.min, proportional + rule.flat);
  return amount(rule.max === null ? fee : Math.min(rule.max, fee));
}
