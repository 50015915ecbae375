import type { CheckCustomerAnswer, CheckCustomersAnswer } from "../api.ts";
import type { Sender } from "../sender.ts";
import type { CallOptions } from "../settings.ts";

/** The people behind phone numbers. */
export class Customers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Who has this number; `kycStatus` is "unknown" when nobody has. */
  check(
    msisdn: string,
    query: { readonly subCompanyId?: string } = {},
    options?: CallOptions,
  ): Promise<CheckCustomerAnswer> {
    const path = "/v1/transactions/customers/check";
    return this.#sender.get(path, options, { ...query, msisdn }, "kycStatus");
  }

  /** The same for many numbers, with what each can receive. */
  async checkMany(
    msisdns: readonly string[],
    options?: CallOptions,
  ): Promise<CheckCustomersAnswer["data"]> {
    const path = "/v1/customers/check";
    const answer: CheckCustomersAnswer = await this.#sender.post(
      "read",
      path,
      { msisdns },
      options,
      "data",
    );
    return answer.data;
  }
}
