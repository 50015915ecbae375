import { sendHint } from "../../../queues/work-hints.ts";
import { operator } from "../../../trail/actor.ts";
import { redeliver } from "../../../webhooks/deliveries.ts";
import { webhookQueue } from "../../../webhooks/dispatcher.ts";
import { getCompanyOfWebhook } from "../../../webhooks/manage-webhooks.ts";
import type { Context, Outcome } from "../../context.ts";

export async function redeliverCommand(
  { database, signals }: Context,
  webhookId: string,
  deliveryId: number,
): Promise<Outcome> {
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const by = operator("webhook redeliver");
  const { status, eventNumber } = await redeliver(database, companyId, webhookId, deliveryId, by);
  await sendHint(signals, webhookQueue, [companyId]);
  return {
    value: { webhookId, deliveryId: String(eventNumber), status },
    text: `Delivery ${eventNumber} is ${status} again.`,
  };
}
