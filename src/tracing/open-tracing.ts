import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Signals } from "../database/signals.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { version } from "../kernel/version.ts";
import { SpanExporter } from "./span-exporter.ts";
import { TraceRelay } from "./trace-relay.ts";
import { Tracer } from "./tracer.ts";
import type { Tracing } from "./tracing.ts";

export interface OpenTracing extends Tracing {
  /** Hands over what is left; takes two seconds at most. */
  stop(): Promise<void>;
}

/** Begins to record traces. Loaded only where they are on. */
export function openTracing(
  config: NonNullable<Config["tracing"]>,
  { logger, metrics, signals }: { logger: Logger; metrics: Metrics; signals: Signals },
): OpenTracing {
  const outcomes = metrics.counter(
    "cauri_trace_spans_total",
    "Spans of traces, by what became of them.",
    ["exported", "dropped_full", "dropped_failed"].map((outcome) => ({ outcome })),
  );
  const refused = metrics.counter(
    "cauri_traces_refused_total",
    "Requests that were not recorded because too many were in that second.",
    [{}],
  );
  const exporter = new SpanExporter({
    ...config,
    resource: {
      "service.name": config.serviceName,
      "service.version": version,
      "service.instance.id": randomUUID(),
    },
    version,
    logger,
    outcomes,
  });
  const tracer = new Tracer({
    ratio: config.ratio,
    record: (span) => exporter.add(span),
    onTooMany: () => refused.add(),
  });
  return { tracer, relay: new TraceRelay(signals), stop: () => exporter.stop() };
}
