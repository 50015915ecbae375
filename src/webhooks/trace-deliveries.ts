import { toPublicId } from "../kernel/ids.ts";
import type { Span } from "../tracing/span.ts";
import { parseTraceparent } from "../tracing/trace-parent.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Held, Outcome } from "./held.ts";

/** A span for one attempt, as a part of the trace in which it was made what it tells of. Undefined: there is none. */
export function startDelivery({ tracer, relay }: Tracing, held: Held): Span | undefined {
  const parent = parseTraceparent(relay.find(held.subjectId));
  if (parent === undefined) return undefined;
  return tracer.start({ name: `deliver ${held.listener.topic}`, kind: "client", parent });
}

export function endDelivery(span: Span, held: Held, { kind, statusCode }: Outcome): void {
  const attributes = {
    "cauri.company.id": toPublicId("com", held.companyId),
    "cauri.webhook.id": held.listener.webhookId,
    "cauri.delivery.attempt": held.tries + 1,
    "cauri.delivery.outcome": kind,
    ...(statusCode === null ? {} : { "http.response.status_code": statusCode }),
  };
  span.end(attributes, { isError: kind !== "delivered" });
}
