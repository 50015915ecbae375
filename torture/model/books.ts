/** A small model of the money: what the service should say and hold, in plain objects. */

export const transferFee = { ratePpm: 12_345, flat: 7, min: 0, max: 300 } as const;
export const chargeFeeRatePpm = 15_000;
export const firstFund = 200_000;

export interface Wallet {
  balance: number;
  /** Undefined: nobody is registered under this number. */
  readonly max: number | undefined;
}

export interface ModelTransfer {
  readonly reference: string;
  readonly amount: number;
  readonly fee: number;
  readonly msisdn: string;
  status: "pending" | "completed" | "failed";
  failureReason: string | null;
}

export interface ModelCharge {
  readonly id: string;
  readonly path: string;
  readonly externalId: string;
  readonly amount: number;
  readonly fee: number;
  status: "due" | "paid" | "dropped" | "refunded_partially" | "refunded";
  droppedReason: "EXPIRED" | "CANCELED" | null;
  refunded: number;
  /** Payments that failed, the one that did not, and refunds, as the API lists them. */
  readonly transactions: { type: string; amount: number; msisdn: string; error: string | null }[];
}

export interface People {
  /** The two test numbers of staging. */
  readonly always: string;
  readonly never: string;
}

export interface ModelSubCompany {
  readonly id: string;
  name: string;
  isActive: boolean;
}

export class Books {
  available = firstFund;
  funded = firstFund;
  reserved = 0;
  fees = 0;
  readonly people: People;
  readonly wallets: ReadonlyMap<string, Wallet>;
  readonly transfers = new Map<string, ModelTransfer>();
  readonly charges: ModelCharge[] = [];
  readonly subCompanies: ModelSubCompany[] = [];
  readonly webhooks = new Map<string, { readonly topic: string; readonly url: string }>();
  /** Answers that were kept for their Idempotency-Key. */
  readonly kept = new Map<string, { readonly request: string; readonly body: string }>();

  constructor(people: People, wallets: ReadonlyMap<string, Wallet>) {
    this.people = people;
    this.wallets = wallets;
  }

  get pending(): readonly ModelTransfer[] {
    return [...this.transfers.values()].filter(({ status }) => status === "pending");
  }

  accept(reference: string, amount: number, msisdn: string): void {
    const fee = transferFeeOf(amount);
    this.available -= amount + fee;
    this.reserved += amount + fee;
    this.transfers.set(reference, {
      reference,
      amount,
      fee,
      msisdn,
      status: "pending",
      failureReason: null,
    });
  }

  /** In the order in which they were accepted. */
  settle(): void {
    for (const transfer of this.pending) {
      const { amount, fee, msisdn } = transfer;
      const reason = this.#creditRefusal(msisdn, amount);
      this.reserved -= amount + fee;
      transfer.status = reason === null ? "completed" : "failed";
      transfer.failureReason = reason;
      if (reason === null) {
        this.fees += fee;
        this.#move(msisdn, amount);
      } else {
        this.available += amount + fee;
      }
    }
  }

  /** What becomes of an attempt to pay; null: paid. */
  pay(charge: ModelCharge, msisdn: string): string | null {
    const error = this.#debitRefusal(msisdn, charge.amount);
    charge.transactions.push({ type: "payment", amount: charge.amount, msisdn, error });
    if (error !== null) return error;
    charge.status = "paid";
    this.available += charge.amount - charge.fee;
    this.fees += charge.fee;
    this.#move(msisdn, -charge.amount);
    return null;
  }

  /** What the company gives back of its own: the amount less its share of the fee. */
  refundCost(charge: ModelCharge, amount: number): number {
    return (
      amount - (feeShare(charge, charge.refunded + amount) - feeShare(charge, charge.refunded))
    );
  }

  refund(charge: ModelCharge, amount: number): void {
    const cost = this.refundCost(charge, amount);
    const payer = charge.transactions.find(
      ({ type, error }) => type === "payment" && error === null,
    );
    const msisdn = payer?.msisdn ?? "";
    this.available -= cost;
    this.fees -= amount - cost;
    charge.refunded += amount;
    charge.status = charge.refunded === charge.amount ? "refunded" : "refunded_partially";
    charge.transactions.push({ type: "refund", amount, msisdn, error: null });
    this.#move(msisdn, amount);
  }

  #creditRefusal(msisdn: string, amount: number): string | null {
    if (msisdn === this.people.always) return null;
    const wallet = this.wallets.get(msisdn);
    if (msisdn === this.people.never || wallet?.max === undefined)
      return "SERVICE_ACCOUNT_NOT_FOUND";
    return wallet.balance + amount > wallet.max ? "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" : null;
  }

  #debitRefusal(msisdn: string, amount: number): string | null {
    if (msisdn === this.people.never) return "DECLINED";
    if (msisdn === this.people.always) return null;
    const wallet = this.wallets.get(msisdn);
    if (wallet?.max === undefined) return "ACCOUNT_NOT_FOUND";
    return wallet.balance < amount ? "INSUFFICIENT_FUNDS" : null;
  }

  #move(msisdn: string, amount: number): void {
    const wallet = this.wallets.get(msisdn);
    if (wallet === undefined) throw new Error(`the model has no wallet ${msisdn}`);
    wallet.balance += amount;
  }
}

export function transferFeeOf(amount: number): number {
  return Math.min(
    transferFee.max,
    halfUp(amount * transferFee.ratePpm, 1_000_000) + transferFee.flat,
  );
}

export function chargeFeeOf(amount: number): number {
  return halfUp(amount * chargeFeeRatePpm, 1_000_000);
}

function feeShare({ fee, amount }: ModelCharge, refunded: number): number {
  return halfUp(fee * refunded, amount);
}

function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}
