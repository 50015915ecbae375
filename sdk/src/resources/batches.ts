import type {
  Batch,
  BatchSummary,
  CreateBatchBody,
  ListBatchesQuery,
  ListBatchTransactionsQuery,
  Transaction,
} from "../api.ts";
import type { List } from "../list.ts";
import { type Sender, step } from "../sender.ts";
import type { CallOptions, WriteOptions } from "../settings.ts";
import { type WaitOptions, waitUntil } from "../settle.ts";

/** Transfers that are accepted together or not at all. */
export class Batches {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  create(batch: CreateBatchBody, options?: WriteOptions): Promise<Batch> {
    return this.#sender.post("keyed", "/v1/transactions/batch", batch, options);
  }

  async get(id: string, options?: CallOptions): Promise<Batch> {
    return this.#sender.get(`/v1/batches/${step(id)}`, options);
  }

  list(query: ListBatchesQuery = {}, options?: CallOptions): List<BatchSummary> {
    return this.#sender.list("/v1/batches", query, options);
  }

  /** Its transfers, for instance those that failed. */
  transfers(
    id: string,
    query: ListBatchTransactionsQuery = {},
    options?: CallOptions,
  ): List<Transaction> {
    return this.#sender.list(`/v1/batches/${step(id)}/transactions`, query, options);
  }

  /** Waits until every transfer of it has ended, as `transfers.waitUntilSettled` does for one. */
  waitUntilSettled(id: string, options?: WaitOptions): Promise<Batch> {
    return waitUntil(
      (once) => this.get(id, once),
      ({ status }) => status !== "processing",
      options,
    );
  }
}
