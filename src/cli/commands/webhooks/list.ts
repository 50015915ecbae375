import { callService } from "../../call-service.ts";
import { commandFor } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import type { PageOptions } from "../../page-outcome.ts";
import { quoted } from "../../quoted.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { toTable } from "../../table.ts";
import { stateOf } from "./describe.ts";

export async function listWebhooksCommand(options: ClientOptions & PageOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { limit, cursor } = options;
  return callService(client, {}, async (cauri) => {
    const { data, cursor: at } = await cauri.webhooks.list({ limit }).page(cursor);
    const table = toTable([
      ["WEBHOOK", "TOPIC", "ADDRESS", "STATE"],
      ...data.map((webhook) => [webhook.id, webhook.topic, webhook.url, stateOf(webhook)]),
    ]);
    return {
      value: { count: data.length, next: at.next, data },
      text: [
        data.length === 0
          ? `There is no webhook. To register one: ${commandFor(client, "webhooks", "create", "TOPIC", "URL")}`
          : table,
        ...(at.next === null ? [] : [`What is older: add --cursor ${quoted(at.next)}`]),
      ].join("\n"),
    };
  });
}
