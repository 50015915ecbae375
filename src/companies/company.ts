import type { FeeRule } from "../kernel/amount.ts";

export const companyIdPrefix = "com";

/** A business with an account here. */
export interface Company {
  readonly id: string;
  readonly name: string;
  readonly transferFee: FeeRule;
  readonly transferAmount: { readonly min: number; readonly max: number };
  /** Parts per million of a charge's amount. */
  readonly chargeFeeRatePpm: number;
  readonly chargeAmount: { readonly min: number; readonly max: number };
  /** Code of the country whose phone numbers may be typed without their country code; null: the installation's. */
  readonly country: string | null;
  /** Null: that of the country. */
  readonly timeZone: string | null;
  readonly createdAt: Date;
  /** No request of it is served and none of its money moves. */
  readonly isFrozen: boolean;
}

/** What the operator may change later. */
export interface CompanyChange {
  readonly name?: string | undefined;
  readonly country?: string | undefined;
  readonly timeZone?: string | undefined;
}

export const transferAmountDefault = { min: 5_000, max: 500_000 } as const;
export const chargeAmountDefault = { min: 1, max: 200_000_000 } as const;
export const noFee: FeeRule = { ratePpm: 0, flat: 0, min: 0, max: null };
