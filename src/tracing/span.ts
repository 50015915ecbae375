import type { SpanContext } from "./trace-parent.ts";

export type SpanKind = "internal" | "server" | "client";

/** Ids of ours, counts, routes and statuses. Never a token, a phone number, a name or anything that a caller wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span that is over, as it is exported. */
export interface EndedSpan extends SpanContext {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links: readonly SpanContext[];
  readonly isError: boolean;
}

/** Something that takes time, as a part of a trace. It is told to whoever records when it ends, and once. */
export interface Span extends SpanContext {
  end(attributes: Attributes, options?: SpanEnd): void;
}

interface SpanEnd {
  /** Where it is known only now. */
  readonly name?: string;
  readonly isError?: boolean;
  /** If it ended before. */
  readonly endMs?: number;
}
