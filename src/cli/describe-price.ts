import type { Price } from "../companies/price.ts";
import { toFrancs } from "./table.ts";

const ppm = 1_000_000;

/** A price for a program: shares as they are given to `company set`. */
export function toPriceValue({ transferFee, transferAmount, chargeAmount, ...price }: Price) {
  return {
    transferFee: {
      ...rateOf(transferFee.ratePpm),
      flat: transferFee.flat,
      min: transferFee.min,
      max: transferFee.max,
    },
    transferAmount: { min: transferAmount.min, max: transferAmount.max },
    chargeFee: rateOf(price.chargeFeeRatePpm),
    chargeAmount: { min: chargeAmount.min, max: chargeAmount.max },
  };
}

function rateOf(ratePpm: number): { readonly rate: number } {
  return { rate: ratePpm / ppm };
}

/** The same for a person, a line each. */
export function toPriceLines(price: Price): [string, string][] {
  const { transferFee: fee, transferAmount, chargeAmount } = price;
  const parts = [
    `${percent(fee.ratePpm)} of the amount`,
    ...(fee.flat > 0 ? [`plus ${toFrancs(fee.flat)}`] : []),
    ...(fee.min > 0 ? [`at least ${toFrancs(fee.min)}`] : []),
    ...(fee.max === null ? [] : [`at most ${toFrancs(fee.max)}`]),
  ];
  return [
    ["transfer fee", parts.join(", ")],
    ["transfers", `${toFrancs(transferAmount.min)} to ${toFrancs(transferAmount.max)}`],
    ["charge fee", `${percent(price.chargeFeeRatePpm)} of the amount`],
    ["charges", `${toFrancs(chargeAmount.min)} to ${toFrancs(chargeAmount.max)}`],
  ];
}

function percent(ratePpm: number): string {
  return `${ratePpm / 10_000} %`;
}
