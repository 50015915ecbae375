import type { TraceRelay } from "./trace-relay.ts";
import type { Tracer } from "./tracer.ts";

/** What parts need to take part in traces. Where traces are off there is none, and a part does nothing for them. */
export interface Tracing {
  readonly tracer: Tracer;
  readonly relay: TraceRelay;
}
