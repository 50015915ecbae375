/** What receivers can subscribe to. */
export const topics = [
  "transactions/started",
  "transactions/completed",
  "transactions/failed",
  "charge/events",
] as const;
export type Topic = (typeof topics)[number];

/** The interface spells a topic both ways; the singular one is accepted and stored as the plural. */
export function parseTopic(text: string): Topic | undefined {
  const plural = text.replace(/^transaction\//, "transactions/");
  return topics.find((topic) => topic === plural);
}

/** The body of a notification, byte for byte as it will be signed and sent. */
export function toPayload(topic: Topic, data: object): string {
  return JSON.stringify({ data, topic });
}
