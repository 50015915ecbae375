import type { FeeRule } from "../kernel/amount.ts";
import type { Fields } from "../trail/trail.ts";
import { CrossedBounds } from "./errors.ts";

interface AmountBounds {
  readonly min: number;
  readonly max: number;
}

/** What a company pays and how much it may send or ask for at once. */
export interface Price {
  readonly transferFee: FeeRule;
  readonly transferAmount: AmountBounds;
  /** Parts per million of a charge's amount. */
  readonly chargeFeeRatePpm: number;
  readonly chargeAmount: AmountBounds;
}

/** One that held from a moment on. */
export interface DatedPrice extends Price {
  readonly number: number;
  readonly since: Date;
}

/** What is given is changed; a maximum of null is none. */
export interface PriceChange {
  readonly transferFee?: Partial<FeeRule>;
  readonly transferAmount?: Partial<AmountBounds>;
  readonly chargeFeeRatePpm?: number | undefined;
  readonly chargeAmount?: Partial<AmountBounds>;
}

/** The price after a change. What is not given stays, so one bound alone can cross the other: throws CrossedBounds. */
export function changedPrice(price: Price, change: PriceChange): Price {
  const changed = {
    transferFee: { ...price.transferFee, ...change.transferFee },
    transferAmount: { ...price.transferAmount, ...change.transferAmount },
    chargeFeeRatePpm: change.chargeFeeRatePpm ?? price.chargeFeeRatePpm,
    chargeAmount: { ...price.chargeAmount, ...change.chargeAmount },
  };
  for (const [what, { min, max }] of [
    ["transfer-fee", changed.transferFee],
    ["transfer", changed.transferAmount],
    ["charge", changed.chargeAmount],
  ] as const)
    if (max !== null && min > max) throw new CrossedBounds(what, min, max);
  return changed;
}

/** Field by field, as the trail has it. */
export function fieldsOfPrice(price: Price): Fields {
  return {
    transferFeeRatePpm: price.transferFee.ratePpm,
    transferFeeFlat: price.transferFee.flat,
    transferFeeMin: price.transferFee.min,
    transferFeeMax: price.transferFee.max,
    transferAmountMin: price.transferAmount.min,
    transferAmountMax: price.transferAmount.max,
    chargeFeeRatePpm: price.chargeFeeRatePpm,
    chargeAmountMin: price.chargeAmount.min,
    chargeAmountMax: price.chargeAmount.max,
  };
}
