import type { Price, PriceChange } from "./price.ts";

export const companyIdPrefix = "com";

/** A business with an account here. */
export interface Company extends Price {
  readonly id: string;
  readonly name: string;
  /** Of the price that holds: counted up with every change of it. */
  readonly priceNumber: number;
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
  readonly price?: PriceChange | undefined;
}

/** Of a company with which nothing else was agreed. */
export const firstPrice: Price = {
  transferFee: { ratePpm: 0, flat: 0, min: 0, max: null },
  transferAmount: { min: 5_000, max: 500_000 },
  chargeFeeRatePpm: 0,
  chargeAmount: { min: 1, max: 200_000_000 },
};
