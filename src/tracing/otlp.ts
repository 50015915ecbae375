import type { Attributes, EndedSpan, SpanKind } from "./span.ts";

/** As OTLP numbers them: opentelemetry/proto/trace/v1/trace.proto. */
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const errorStatus = 2;
/** The lowest bit: its trace is recorded. */
const sampledFlag = 1;

/** The body of a request to `/v1/traces`: OTLP 1 as JSON, where ids are hexadecimal and 64-bit numbers are text. */
export function toOtlp(resource: Attributes, version: string, spans: readonly EndedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: "cauri", version }, spans: spans.map(toSpan) }],
      },
    ],
  });
}

function toSpan(span: EndedSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    flags: sampledFlag,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(span.endMs),
    attributes: toAttributes(span.attributes),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId, flags: sampledFlag })),
    status: span.isError ? { code: errorStatus } : {},
  };
}

function toAttributes(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A number of JavaScript holds such a moment to the microsecond. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
