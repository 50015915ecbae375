import type {
  CreateTransactionBody,
  ListTransactionsQuery,
  LookUpTransactionsAnswer,
  Transaction,
} from "../api.ts";
import type { List } from "../list.ts";
import { type Sender, step } from "../sender.ts";
import type { CallOptions, WriteOptions } from "../settings.ts";
import { type WaitOptions, waitUntil } from "../settle.ts";

export type NewTransfer = Omit<CreateTransactionBody, "type"> & { readonly type?: "transfer" };

/** Money sent to people: the API's transactions. */
export class Transfers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Sends money to one person. The reference pays once, for ever. */
  create(transfer: NewTransfer, options?: WriteOptions): Promise<Transaction> {
    const body = { type: "transfer", ...transfer };
    return this.#sender.post("keyed", "/v1/transactions", body, options);
  }

  async get(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#sender.get(`/v1/transactions/${step(id)}`, options);
  }

  /** Newest first. */
  list(query: ListTransactionsQuery = {}, options?: CallOptions): List<Transaction> {
    return this.#sender.list("/v1/transactions", query, options);
  }

  /** Those of up to 1 000 references that were sent; what is not among them was not. */
  async lookUp(
    references: readonly string[],
    options?: CallOptions,
  ): Promise<LookUpTransactionsAnswer["data"]> {
    const path = "/v1/transactions/lookup";
    const answer: LookUpTransactionsAnswer = await this.#sender.post(
      "read",
      path,
      { references },
      options,
      "data",
    );
    return answer.data;
  }

  /**
   * Waits until it is completed or failed. NotSettledError, when the time is over before that, does not mean that it
   * failed.
   */
  waitUntilSettled(id: string, options?: WaitOptions): Promise<Transaction> {
    return waitUntil(
      (once) => this.get(id, once),
      ({ status }) => status !== "pending",
      options,
    );
  }
}
