import { randomBytes } from "node:crypto";
import type { Attributes, EndedSpan, Span, SpanKind } from "./span.ts";
import { parseTraceparent, type SpanContext } from "./trace-parent.ts";

export interface TracerOptions {
  /** What is recorded of the requests that bring no decision of their own, from 0 to 1. */
  readonly ratio: number;
  /** Takes a span that is over; never waits. */
  readonly record: (span: EndedSpan) => void;
  /** Told of requests that would have been recorded. */
  readonly onTooMany: () => void;
}

interface NewSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent?: SpanContext | undefined;
  readonly links?: readonly SpanContext[];
  /** By the clock of `Tracer.nowMs`; now, unless it began before. */
  readonly startMs?: number;
}

/** Anybody may ask to be recorded, and each one costs a little: no more than these begin in a second. */
const tracesPerSecondMax = 100;
const linksMax = 128;
/** How far the machine's clock may be from the one that counts on steadily before the latter is set anew. */
const driftMaxMs = 50;

/** Begins spans. Who is recorded is decided once, at the request; everything that follows keeps to it. */
export class Tracer {
  readonly #options: TracerOptions;
  #offsetMs = Date.now() - performance.now();
  #second = 0;
  #begun = 0;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /** In milliseconds since 1970, with fractions; it does not step back within a trace. */
  nowMs(): number {
    return performance.now() + this.#offsetMs;
  }

  /**
   * The span of a request; undefined: it is not recorded. What the caller decided holds, as long as not too many ask for
   * it; otherwise chance decides.
   */
  startRequest(traceparent: string | undefined): Span | undefined {
    const caller = parseTraceparent(traceparent);
    const isWanted = caller?.isSampled ?? Math.random() < this.#options.ratio;
    if (!isWanted) return undefined;
    if (!this.#mayBegin()) {
      this.#options.onTooMany();
      return undefined;
    }
    return this.start({ name: "request", kind: "server", parent: caller });
  }

  start({ name, kind, parent, links = [], startMs = this.nowMs() }: NewSpan): Span {
    const { record } = this.#options;
    const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
    const spanId = randomBytes(8).toString("hex");
    const parentSpanId = parent?.spanId;
    let isOver = false;
    return {
      traceId,
      spanId,
      end: (attributes, end = {}) => {
        if (isOver) return;
        isOver = true;
        record({
          traceId,
          spanId,
          parentSpanId,
          name: end.name ?? name,
          kind,
          startMs,
          endMs: Math.max(startMs, end.endMs ?? this.nowMs()),
          attributes,
          links: links.slice(0, linksMax),
          isError: end.isError ?? false,
        });
      },
    };
  }

  /**
   * What is done for many traces at once: a span in each of them, from the same moment on. The first is linked to all that it
   * worked for, the others to it.
   */
  startTogether(name: string, parents: readonly SpanContext[], startMs = this.nowMs()): Span[] {
    const [first, ...others] = parents;
    if (first === undefined) return [];
    const main = this.start({ name, kind: "internal", parent: first, links: others, startMs });
    return [
      main,
      ...others.map((parent) =>
        this.start({ name, kind: "internal", parent, links: [main], startMs }),
      ),
    ];
  }

  #mayBegin(): boolean {
    const wallMs = Date.now();
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#begun = 0;
      if (Math.abs(wallMs - this.nowMs()) > driftMaxMs) this.#offsetMs = wallMs - performance.now();
    }
    this.#begun += 1;
    return this.#begun <= tracesPerSecondMax;
  }
}

/** Ends spans that were started together. */
export function endAll(spans: readonly Span[], attributes: Attributes, isError = false): void {
  for (const span of spans) span.end(attributes, { isError });
}
