import type { Webhook } from "@cauri/sdk";
import { toPairs } from "../../table.ts";

export function describeWebhook(webhook: Webhook): string {
  return toPairs([
    ["id", webhook.id],
    ["topic", webhook.topic],
    ["address", webhook.url],
    ["state", stateOf(webhook)],
  ]);
}

/** Whether it is told of things, and what its address answered to the test event. */
export function stateOf({ disabledAt, disabledReason, testEvent }: Webhook): string {
  if (disabledAt !== null) return `disabled: ${disabledReason ?? disabledAt}`;
  if (testEvent === null) return "in service, its test event has not been answered yet";
  const { statusCode, error } = testEvent;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return "in service";
  return `in service, its test event failed: ${error ?? `answered ${statusCode}`}`;
}
