import { isDay } from "../../kernel/days.ts";
import { parseDeliveryId } from "../../webhooks/deliveries.ts";
import { type Topic, topics } from "../../webhooks/event.ts";
import { type DeliveryStatus, deliveryStatuses, type Webhook } from "../../webhooks/webhook.ts";

/** What of the log is wanted; as it stands in the address. */
export interface AskedLog {
  readonly webhook: string | undefined;
  readonly topic: Topic | undefined;
  readonly status: DeliveryStatus | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: number | undefined;
}

export const noFilter: AskedLog = {
  webhook: undefined,
  topic: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
};

/** Undefined where something cannot be read; another company's webhook is as unknown as none. */
export function readLogFilter(
  query: URLSearchParams,
  webhooks: readonly Webhook[],
): AskedLog | undefined {
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const [webhook, topic, status, from, to, cursor] = [
    "webhook",
    "topic",
    "status",
    "from",
    "to",
    "before",
  ].map(given);
  const before = cursor === undefined ? undefined : parseDeliveryId(cursor);
  const isKnown =
    (webhook === undefined || webhooks.some(({ id }) => id === webhook)) &&
    (topic === undefined || topics.some((one) => one === topic)) &&
    (status === undefined || deliveryStatuses.some((one) => one === status)) &&
    [from, to].every((day) => day === undefined || isDay(day)) &&
    (cursor === undefined || before !== undefined);
  if (!isKnown) return undefined;
  return {
    webhook,
    topic: topic as Topic | undefined,
    status: status as DeliveryStatus | undefined,
    from,
    to,
    before,
  };
}
