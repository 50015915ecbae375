import { feeOf } from "../kernel/amount.ts";
import { type Finding, findings } from "./findings.ts";
import type { Account } from "./paymaster.ts";
import type { Payout } from "./payout.ts";

const largestShown = 5;

/** What will happen, for whoever decides it. */
export interface Review {
  readonly count: number;
  readonly total: number;
  readonly fees: number;
  readonly balance: number;
  readonly balanceAfter: number;
  readonly largest: readonly Payout[];
}

export function reviewPayouts(
  { transferFee }: Account,
  balance: number,
  payouts: readonly Payout[],
): Review {
  const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
  const fees = payouts.reduce((sum, { amount }) => sum + feeOf(amount, transferFee), 0);
  return {
    count: payouts.length,
    total,
    fees,
    balance,
    balanceAfter: balance - total - fees,
    largest: largestOf(payouts),
  };
}

export function checkBalance({ total, fees, balance, balanceAfter }: Review): Finding[] {
  return balanceAfter < 0 ? [findings.balanceTooLow(total + fees, balance)] : [];
}

/** Of equal ones the first. */
export function largestOf(payouts: readonly Payout[]): Payout[] {
  const largest: Payout[] = [];
  for (const payout of payouts) {
    const place = largest.findIndex(({ amount }) => amount < payout.amount);
    if (place === -1 && largest.length === largestShown) continue;
    largest.splice(place === -1 ? largest.length : place, 0, payout);
    largest.length = Math.min(largest.length, largestShown);
  }
  return largest;
}
