import type { Topic } from "../../../webhooks/event.ts";
import { callService } from "../../call-service.ts";
import { commandFor } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { describeWebhook } from "./describe.ts";

/** Registers an address for a topic. */
export async function createWebhookCommand(
  topic: Topic,
  address: string,
  options: ClientOptions,
): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const list = commandFor(client, "webhooks", "list");
  const whenUnknown = `To see whether it is there: ${list}`;
  const webhook = await callService(client, { whenUnknown }, (cauri) =>
    cauri.webhooks.create({ topic, url: address }),
  );
  return {
    value: webhook,
    text: [
      describeWebhook(webhook),
      `A test event is on its way. What it was answered: ${list}`,
      `What is sent from now on: ${commandFor(client, "webhooks", "deliveries", webhook.id)}`,
    ].join("\n"),
  };
}
