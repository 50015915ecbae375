import type { Command } from "commander";
import type { PriceChange } from "../companies/price.ts";
import { parseAmount, parseFee, parseFeeMax, parseRate } from "./read-options.ts";

/** Fees and limits, as far as they are given. */
export interface PriceOptions {
  readonly transferFeeRate?: number;
  readonly transferFeeFlat?: number;
  readonly transferFeeMin?: number;
  readonly transferFeeMax?: number | "none";
  readonly transferMin?: number;
  readonly transferMax?: number;
  readonly chargeFeeRate?: number;
  readonly chargeMin?: number;
  readonly chargeMax?: number;
}

export function withPrice(command: Command): Command {
  return command
    .option("--transfer-fee-rate <share>", "fee as a share of the amount, such as 0.01", parseRate)
    .option("--transfer-fee-flat <francs>", "fee added to each transfer", parseFee)
    .option("--transfer-fee-min <francs>", "the least a fee can be", parseFee)
    .option("--transfer-fee-max <francs>", "the most a fee can be, or none", parseFeeMax)
    .option("--transfer-min <francs>", "smallest transfer (5000)", parseAmount)
    .option("--transfer-max <francs>", "largest transfer (500000)", parseAmount)
    .option("--charge-fee-rate <share>", "fee as a share of a charge, such as 0.01", parseRate)
    .option("--charge-min <francs>", "smallest charge (1)", parseAmount)
    .option("--charge-max <francs>", "largest charge (200000000)", parseAmount);
}

/** Undefined when none of them is given. */
export function priceChangeOf(options: PriceOptions): PriceChange | undefined {
  const change = {
    transferFee: given({
      ratePpm: options.transferFeeRate,
      flat: options.transferFeeFlat,
      min: options.transferFeeMin,
      max: options.transferFeeMax === "none" ? null : options.transferFeeMax,
    }),
    transferAmount: given({ min: options.transferMin, max: options.transferMax }),
    chargeAmount: given({ min: options.chargeMin, max: options.chargeMax }),
    chargeFeeRatePpm: options.chargeFeeRate,
  };
  const { chargeFeeRatePpm, ...parts } = change;
  const isEmpty = Object.values(parts).every((part) => Object.keys(part).length === 0);
  return isEmpty && chargeFeeRatePpm === undefined ? undefined : change;
}

/** Without the fields that are undefined. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
