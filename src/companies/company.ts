import type { FeeRule } from "../kernel/amount.ts";

/** A business with an account here. */
export interface Company {
  readonly id: string;
  readonly name: string;
  readonly transferFee: FeeRule;
  readonly transferAmount: { readonly min: number; readonly max: number };
  readonly createdAt: Date;
}

export const transferAmountDefault = { min: 5_000, max: 500_000 } as const;
export const noFee: FeeRule = { ratePpm: 0, flat: 0, min: 0, max: null };
