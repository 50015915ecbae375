import type { Posting } from "../ledger/posting.ts";
import type { History } from "../webhooks/find-history.ts";
import type { Clock } from "./clock.ts";
import { toFrancs, toTable } from "./table.ts";

/** One thing that happened to an object, at its moment. */
export interface Moment {
  readonly at: Date;
  readonly what: string;
  readonly detail: string;
}

export function toPostingValue(posting: Posting) {
  return { ...posting, createdAt: posting.createdAt.toISOString() };
}

export function toHistoryValue({ events, deliveries }: History) {
  return events.map((event) => ({
    number: event.number,
    topic: event.topic,
    createdAt: event.createdAt.toISOString(),
    deliveries: deliveries
      .filter(({ eventNumber }) => eventNumber === event.number)
      .map((delivery) => ({
        webhookId: delivery.webhookId,
        url: delivery.url,
        status: delivery.status,
        attempts: delivery.attempts,
        statusCode: delivery.toldCode,
        nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
        updatedAt: delivery.updatedAt.toISOString(),
      })),
  }));
}

/** Postings, events and deliveries among other moments, in the order of time. */
export function toTimeline(
  moments: readonly Moment[],
  postings: readonly Posting[],
  { events, deliveries }: History,
  clock: Clock,
): Moment[] {
  return [
    ...moments,
    ...postings.map(({ createdAt, number, event, debit, credit, amount }) => ({
      at: createdAt,
      what: `posting ${number}`,
      detail: `${event}: ${toFrancs(amount)} from ${debit} to ${credit}`,
    })),
    ...events.map(({ createdAt, number, topic }) => ({
      at: createdAt,
      what: `event ${number}`,
      detail: topic,
    })),
    ...deliveries.map((delivery) => ({
      at: delivery.updatedAt,
      what: `delivery of ${delivery.eventNumber}`,
      detail: [
        `${delivery.status} after ${delivery.attempts} attempt${delivery.attempts === 1 ? "" : "s"}`,
        ...(delivery.toldCode === null ? [] : [`answered ${delivery.toldCode}`]),
        ...(delivery.nextAttemptAt === null
          ? []
          : [`next at ${clock.show(delivery.nextAttemptAt)}`]),
        delivery.url,
      ].join(", "),
    })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

export function toTimelineTable(timeline: readonly Moment[], clock: Clock): string {
  const rows = [
    ["TIME", "WHAT", ""],
    ...timeline.map(({ at, what, detail }) => [clock.showExactly(at), what, detail]),
  ];
  return `${toTable(rows)}\n\n${clock.note}`;
}
