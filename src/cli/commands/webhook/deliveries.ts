import { listDeliveries } from "../../../webhooks/deliveries.ts";
import { getCompanyOfWebhook } from "../../../webhooks/manage-webhooks.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { toTable } from "../../table.ts";

export async function listDeliveriesCommand(
  context: Context,
  webhookId: string,
  options: { readonly limit: number },
): Promise<Outcome> {
  const { database } = context;
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const clock = await findClock(context, companyId);
  const { rows } = await listDeliveries(database, companyId, webhookId, options);
  const deliveries = rows.map((delivery) => {
    const last = delivery.log.at(-1);
    return {
      id: String(delivery.eventNumber),
      topic: delivery.topic,
      status: delivery.status,
      attempts: delivery.attempts,
      createdAt: delivery.createdAt.toISOString(),
      nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
      lastStatusCode: last?.statusCode ?? null,
      lastError: last?.error ?? null,
    };
  });
  return {
    value: deliveries,
    text: `${toTable([
      ["DELIVERY", "TOPIC", "STATUS", "ATTEMPTS", "CREATED", "LAST ANSWER"],
      ...deliveries.map(({ id, topic, status, attempts, createdAt, lastStatusCode, lastError }) => [
        id,
        topic,
        status,
        String(attempts),
        clock.show(createdAt),
        lastError ?? (lastStatusCode === null ? "" : String(lastStatusCode)),
      ]),
    ])}\n\n${clock.note}`,
  };
}
