import type { Topic } from "../webhooks/event.ts";
import { signedHeaders } from "../webhooks/signature.ts";
import { messageIdOf } from "../webhooks/webhook.ts";
import { describe, type FollowedEvent } from "./follow-events.ts";

export interface ForwardOptions {
  readonly forwardTo: string;
  /** The company's secret key (sk_…): with it the service signs, and so do we. */
  readonly secretKey: string;
  readonly brand: string;
}

export interface Forwarded {
  readonly ms: number;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly error: string | undefined;
}

const answerLimitMs = 15_000;
/** No webhook of the company's, so that its id belongs to nobody. */
const listener = "00000000-0000-0000-0000-000000000000";

/** Posts an event as the service would: the same body, the same headers, signed with the same secret. */
export async function forwardEvent(
  { forwardTo, secretKey, brand }: ForwardOptions,
  event: FollowedEvent,
  now: Date,
): Promise<Forwarded> {
  const payload = JSON.stringify(event.payload);
  const id = messageIdOf(listener, {
    eventNumber: event.sequence,
    happenedMs: Date.parse(event.createdAt),
    subjectId: event.payload.data.id ?? "",
  });
  const message = { id, topic: event.topic as Topic, payload };
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const response = await fetch(forwardTo, {
      method: "POST",
      headers: signedHeaders(brand, [secretKey], now, message),
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(answerLimitMs),
    });
    // What it says counts, not what it sends along, however much that is.
    await response.body?.cancel();
    return { ms: took(), status: response.status, error: undefined };
  } catch (error) {
    return { ms: took(), status: undefined, error: describe(error) };
  }
}
