import { createHmac, type KeyObject } from "node:crypto";
import type { Topic, testTopic } from "./event.ts";

export interface Message {
  readonly id: string;
  readonly topic: Topic | typeof testTopic;
  readonly payload: string;
}

/** Its text, or the key made of it, which spares the making for every message. */
type SigningSecret = string | KeyObject;

/**
 * The headers that prove a notification is ours. `x-<brand>-hmac-sha256` is the interface's: Base64 of
 * HMAC-SHA256 over the raw body with the newest secret. `webhook-*` is Standard Webhooks 1.0, signed with
 * every secret that is still good, so that a receiver can change over during a rotation without a gap.
 */
export function signedHeaders(
  brand: string,
  secrets: readonly SigningSecret[],
  now: Date,
  message: Message,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signed = `${message.id}.${timestamp}.${message.payload}`;
  return {
    "content-type": "application/json",
    "user-agent": "Cauri-Webhooks/1",
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(" "),
    [`x-${brand}-hmac-sha256`]: hmac(secrets[0] ?? "", message.payload),
    [`x-${brand}-webhook-topic`]: message.topic,
  };
}

function hmac(secret: SigningSecret, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64");
}
