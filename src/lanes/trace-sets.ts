import { toPublicId } from "../kernel/ids.ts";
import type { Span } from "../tracing/span.ts";
import { type SpanContext, toTraceparent } from "../tracing/trace-parent.ts";
import type { Made } from "../tracing/trace-relay.ts";
import { endAll } from "../tracing/tracer.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { LaneWork } from "./lanes.ts";

/** What of a lane's parcels and outcomes a trace tells. */
export interface SetTracing<Parcel, Outcome> {
  readonly kind: Made["kind"];
  /** The request that a parcel came with, if that is recorded. */
  readonly spanOf: (parcel: Parcel) => SpanContext | undefined;
  /** What was made of a parcel: the first id and how many were numbered together. Undefined: it was refused. */
  readonly madeOf: (outcome: Outcome) => { readonly id: string; readonly size: number } | undefined;
}

/**
 * The same work, with a span for every set that has a request in it that is recorded: a child of each such request, linked to the
 * others of its set. What was made is remembered, so that whoever settles it or tells of it goes on from there.
 */
export function tracedWork<Parcel, Outcome>(
  work: LaneWork<Parcel, Outcome>,
  { tracer, relay }: Tracing,
  { kind, spanOf, madeOf }: SetTracing<Parcel, Outcome>,
): LaneWork<Parcel, Outcome> {
  const announce = (companyId: string, made: Outcome | undefined, span: Span) => {
    const what = made === undefined ? undefined : madeOf(made);
    if (what !== undefined)
      relay.announce({ kind, companyId, ...what, traceparent: toTraceparent(span) });
  };
  return {
    ...work,
    async send(companyId, parcels) {
      const traced = parcels.flatMap((parcel, place) => {
        const parent = spanOf(parcel);
        return parent === undefined ? [] : { parent, place };
      });
      if (traced.length === 0) return work.send(companyId, parcels);
      const parents = traced.map(({ parent }) => parent);
      const spans = tracer.startTogether(`submit ${kind}`, parents);
      let rows = 0;
      for (const parcel of parcels) rows += work.rowsOf(parcel);
      const attributes = {
        "cauri.company.id": toPublicId("com", companyId),
        "cauri.set.size": rows,
      };
      try {
        const outcomes = await work.send(companyId, parcels);
        for (const [index, { place }] of traced.entries()) {
          const span = spans[index];
          if (span !== undefined) announce(companyId, outcomes[place], span);
        }
        endAll(spans, attributes);
        return outcomes;
      } catch (error) {
        endAll(spans, attributes, true);
        throw error;
      }
    },
  };
}
