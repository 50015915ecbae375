import type {
  Charge,
  CreateChargeBody,
  ListChargesQuery,
  PaidCharge,
  PayChargeBody,
} from "../api.ts";
import { InvalidArgumentError } from "../errors.ts";
import type { List } from "../list.ts";
import { type Sender, step } from "../sender.ts";
import type { CallOptions, WriteOptions } from "../settings.ts";

/** Without an amount, all that is left is refunded. */
export interface NewRefund {
  readonly amount?: number;
  /** Why, at most 255 characters: kept, and shown with the refund. */
  readonly reason?: string;
}

/** Requests to be paid. */
export class Charges {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Send the payer to its `paymentUrl`. */
  create(charge: CreateChargeBody, options?: WriteOptions): Promise<Charge> {
    return this.#sender.post("keyed", "/v1/charges", charge, options);
  }

  async get(id: string, options?: CallOptions): Promise<Charge> {
    return this.#sender.get(`/v1/charges/${step(id)}`, options);
  }

  list(query: ListChargesQuery = {}, options?: CallOptions): List<Charge> {
    return this.#sender.list("/v1/charges", query, options);
  }

  /** Gives the money back, in part or all that is left. A refund has no reference: keep its idempotencyKey. */
  async refund(id: string, refund: NewRefund = {}, options?: WriteOptions): Promise<Charge> {
    // An amount that went missing on its way here must not become a refund of everything.
    const { amount = 0 } = refund;
    if ("amount" in refund && !(Number.isSafeInteger(amount) && amount > 0))
      throw new InvalidArgumentError(
        "amount must be a whole number from 1. Leave it out to refund all that is left.",
      );
    return this.#sender.post("keyed", `/v1/charges/${step(id)}/refund`, refund, options);
  }

  /** Simulates a payment. Staging only. */
  async pay(id: string, payment: PayChargeBody, options?: WriteOptions): Promise<PaidCharge> {
    return this.#sender.post("keyed", `/v1/charges/${step(id)}/pay`, payment, options);
  }
}
