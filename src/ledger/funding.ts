/** Money that came in from outside: a bank transfer, cash at the counter. */
export interface Funding {
  readonly amount: number;
  readonly createdAt: Date;
}

export interface NewFunding {
  readonly id: string;
  readonly amount: number;
  /** The operator's own name for it, which lets it happen once, for ever. Null: it has none. */
  readonly reference: string | null;
  /** What a person wants to remember of it. */
  readonly memo: string | null;
}

/** Money that left for outside, by the operator's hand. */
export interface Withdrawal {
  readonly id: string;
  readonly amount: number;
  /** It happens once for it, for ever. */
  readonly reference: string;
  readonly memo: string | null;
}

/**
 * What the operator may correct. `in_flight` is what pending transfers come to and `paid_out` what wallets hold: a
 * correction of one of these alone would contradict them.
 */
export const adjustableAccounts = ["available", "fees", "external"] as const;
export type AdjustableAccount = (typeof adjustableAccounts)[number];

/** A correction of the books, from one account to another. */
export interface Adjustment {
  readonly id: string;
  readonly from: AdjustableAccount;
  readonly to: AdjustableAccount;
  readonly amount: number;
  /** It happens once for it, for ever. */
  readonly reference: string;
  readonly reason: string;
}
