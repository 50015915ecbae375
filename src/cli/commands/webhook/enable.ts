import { operator } from "../../../trail/actor.ts";
import { enableWebhook, getCompanyOfWebhook } from "../../../webhooks/manage-webhooks.ts";
import type { Context, Outcome } from "../../context.ts";

export async function enableWebhookCommand(
  { database }: Context,
  webhookId: string,
): Promise<Outcome> {
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const by = operator("webhook enable");
  const webhook = await enableWebhook(database, companyId, webhookId, by);
  return {
    value: { id: webhook.id, disabledAt: null },
    text: `${webhook.id} is in service. It hears of what happens from now on; what it missed can be replayed.`,
  };
}
