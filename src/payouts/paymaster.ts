import type { FeeRule } from "../kernel/amount.ts";
import type { Country } from "../kernel/countries.ts";
import type { Payout } from "./payout.ts";

/** The terms of the account that pays. */
export interface Account {
  readonly companyId: string;
  readonly name: string;
  readonly country: Country;
  /** Of the company, for what is told about earlier days. */
  readonly timeZone: string;
  readonly transferAmount: { readonly min: number; readonly max: number };
  readonly transferFee: FeeRule;
}

/** What the service knows of a phone number. */
export interface Recipient {
  readonly msisdn: string;
  readonly kycStatus: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The most that this account may ever hold; null: any amount. */
  readonly amountMax: number | null;
}

/** A payout that the service has accepted at some time. */
export interface SentPayout {
  readonly id: string;
  readonly reference: string;
  /** Digits. */
  readonly msisdn: string;
  readonly amount: number;
  readonly fee: number;
  readonly status: "pending" | "completed" | "failed";
  readonly failureReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type Acceptance =
  | "accepted"
  /** There is not enough money for them; nothing was sent. */
  | "insufficient_funds"
  /** Some of the references are used; nothing was sent. */
  | "references_used";

/** The service, as far as paying many people needs it. What cannot be had is thrown. */
export interface Paymaster {
  account(): Promise<Account>;
  balance(): Promise<number>;
  check(msisdns: readonly string[]): Promise<readonly Recipient[]>;
  find(references: readonly string[]): Promise<readonly SentPayout[]>;
  /** All or nothing. The same payouts with the same key are accepted once, however often they are sent. */
  send(key: string, payouts: readonly Payout[]): Promise<Acceptance>;
}

/** What can be asked before any money moves. */
export type Inquiry = Pick<Paymaster, "balance" | "check" | "find">;

/** Of what is asked for in one request. */
export const recipientsAtOnce = 500;
export const referencesAtOnce = 1_000;

export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
