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
    isProved: webhook.isProved,
    createdAt: webhook.createdAt.toISOString(),
  }));
  return {
    value: webhooks,
    text: toTable([
      ["WEBHOOK", "TOPIC", "URL", "STATE"],
      ...webhooks.map((webhook) => [webhook.id, webhook.topic, webhook.url, stateOf(webhook)]),
    ]),
  };
}

function stateOf({
  disabledReason,
  isProved,
}: {
  readonly disabledReason: string | null;
  readonly isProved: boolean;
}): string {
  if (disabledReason !== null) return `disabled: ${disabledReason}`;
  return isProved ? "in service" : "in service, a few requests a minute: it has not answered yet";
}
