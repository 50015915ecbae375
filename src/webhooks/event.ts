/** What receivers can subscribe to. */
export type Topic =
  | "transactions/started"
  | "transactions/completed"
  | "transactions/failed"
  | "charge/events";

/** The body of a notification, byte for byte as it will be signed and sent. */
export function toPayload(topic: Topic, data: object): string {
  return JSON.stringify({ data, topic });
}
