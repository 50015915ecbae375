/** What receivers can subscribe to. */
export const topics = [
  "transactions/started",
  "transactions/completed",
  "transactions/failed",
  "batches/completed",
  "charge/events",
  "statements/sealed",
] as const;
export type Topic = (typeof topics)[number];

/** What a test event is called. No topic to subscribe to, so that receivers pass it over like any other they do not know. */
export const testTopic = "webhooks/test";

/** The interface spells a topic both ways: the other spelling is accepted too, and kept as the one of the list. */
export function spellTopic(text: string): string {
  return text.replace(/^transaction\//, "transactions/").replace(/^charges\//, "charge/");
}

/** The body of a notification, byte for byte as it will be signed and sent. */
export function toPayload(topic: Topic | typeof testTopic, data: object): string {
  return JSON.stringify({ data, topic });
}
