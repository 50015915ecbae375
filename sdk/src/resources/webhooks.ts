import type {
  CreateWebhookBody,
  Delivery,
  Events,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListWebhooksQuery,
  Webhook,
} from "../api.ts";
import { EventList } from "../event-list.ts";
import type { List } from "../list.ts";
import { type Sender, step } from "../sender.ts";
import type { CallOptions, WriteOptions } from "../settings.ts";
import { explainFailure, sign, verify } from "../webhooks.ts";

/** Who is told of what. `verify`, `explainFailure` and `sign` need no token: they are at "@cauri/sdk/webhooks" too. */
export class Webhooks {
  readonly #sender: Sender;
  readonly verify: typeof verify = verify;
  readonly explainFailure: typeof explainFailure = explainFailure;
  readonly sign: typeof sign = sign;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  create(webhook: CreateWebhookBody, options?: WriteOptions): Promise<Webhook> {
    return this.#sender.post("keyed", "/v1/webhooks", webhook, options);
  }

  async get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#sender.get(`/v1/webhooks/${step(id)}`, options);
  }

  list(query: ListWebhooksQuery = {}, options?: CallOptions): List<Webhook> {
    return this.#sender.list("/v1/webhooks", query, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    const path = `/v1/webhooks/${step(id)}`;
    await this.#sender.send({ effect: "same", method: "DELETE", path, options });
  }

  /** The same events for whoever no webhook reaches; with `wait` they are followed for ever. */
  events(query: ListEventsQuery = {}, options?: CallOptions): EventList {
    // Longer than the service may wait before it answers.
    const timeoutMs = ((query.wait ?? 0) + 30) * 1_000;
    const read = (some: ListEventsQuery): Promise<Events> =>
      this.#sender.get("/v1/events", { timeoutMs, ...options }, some, "lastSequence");
    return new EventList(query, read, options?.signal);
  }

  /** What was sent to it, with every attempt. */
  deliveries(id: string, query: ListDeliveriesQuery = {}, options?: CallOptions): List<Delivery> {
    return this.#sender.list(`/v1/webhooks/${step(id)}/deliveries`, query, options);
  }

  /** Sends a delivery again. Repeated only where the service says that it did nothing. */
  async redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    const path = `/v1/webhooks/${step(id)}/deliveries/${step(deliveryId)}/redeliver`;
    return this.#sender.post("once", path, {}, options);
  }
}
