import { allWebhooks } from "../../../webhooks/manage-webhooks.ts";
import type { Context, Outcome } from "../../context.ts";
import { toTable } from "../../table.ts";

export async function listWebhooksCommand(
  { database }: Context,
  companyId: string,
): Promise<Outcome> {
  const webhooks = (await allWebhooks(database, companyId)).map((webhook) => ({
    id: webhook.id,
    topic: webhook.topic,
    url: webhook.url,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    disabledReason: webhook.disabledReason,
    createdAt: webhook.createdAt.toISOString(),
  }));
  return {
    value: webhooks,
    text: toTable([
      ["WEBHOOK", "TOPIC", "URL", "STATE"],
      ...webhooks.map(({ id, topic, url, disabledReason }) => [
        id,
        topic,
        url,
        disabledReason === null ? "in service" : `disabled: ${disabledReason}`,
      ]),
    ]),
  };
}
