import type { Database } from "../database/database.ts";
import { EventsForgotten, EventsUnknown } from "./errors.ts";
import type { Topic } from "./event.ts";
import { type EventRow, selectEventRange, selectEvents } from "./events-store.ts";
import type { PayloadsOf } from "./hold-deliveries.ts";

/** Events of other topics are passed over, up to so many in one answer. */
const lookedAtMax = 1_000;

export interface PullRequest {
  /** The number of the last event that is known already; undefined: from the first that is kept. */
  readonly after: number | undefined;
  readonly topics: readonly Topic[];
  readonly limit: number;
}

export interface PulledEvent {
  readonly sequence: number;
  readonly topic: Topic;
  readonly createdAt: Date;
  /** JSON, byte for byte what a webhook is sent. */
  readonly payload: string;
}

export interface Pull {
  readonly events: readonly PulledEvent[];
  /** Where to go on: everything up to here is in `events`, or of another topic. */
  readonly lastSequence: number;
  /** Whether there is more behind it already. */
  readonly hasMore: boolean;
}

/** The number of a company's last event. */
export async function lastSequenceOf(database: Database, companyId: string): Promise<number> {
  return (await selectEventRange(database, companyId, 0, 1))?.last ?? 0;
}

/**
 * A company's events after one that it knows, in the order in which they happened. Numbers are given under the lock of
 * the company's books and have no gaps, so that whoever has seen a number will never find a smaller one later.
 */
export async function pullEvents(
  { database, payloadsOf }: { readonly database: Database; readonly payloadsOf: PayloadsOf },
  companyId: string,
  { after: asked, topics, limit }: PullRequest,
): Promise<Pull> {
  const range = await selectEventRange(database, companyId, asked ?? 0, lookedAtMax);
  const { last, upto, behind_gap } = range ?? { last: 0, upto: null, behind_gap: null };
  if (asked !== undefined && asked > last) throw new EventsUnknown(asked, last);
  const firstLeft = upto === null ? last + 1 : (behind_gap ?? (asked ?? 0) + 1);
  const after = asked ?? firstLeft - 1;
  if (after < firstLeft - 1) throw new EventsForgotten(after, firstLeft);
  if (upto === null) return { events: [], lastSequence: after, hasMore: false };

  const rows = await selectEvents(database, companyId, { after, upto }, topics, limit);
  const lastSequence = rows.length === limit ? (rows.at(-1)?.number ?? upto) : upto;
  return {
    events: await withPayloads(payloadsOf, companyId, rows),
    lastSequence,
    hasMore: lastSequence < last,
  };
}

async function withPayloads(
  payloadsOf: PayloadsOf,
  companyId: string,
  rows: readonly EventRow[],
): Promise<PulledEvent[]> {
  const bare = rows.filter(({ payload }) => payload === null);
  const made = await payloadsOf(
    companyId,
    bare.map(({ topic, subject_id }) => ({ topic, subjectId: subject_id })),
  );
  const payloads = new Map(bare.map(({ number }, place) => [number, made[place] ?? ""]));
  return rows.map(({ number, topic, created_at, payload }) => ({
    sequence: number,
    topic,
    createdAt: created_at,
    payload: payload ?? payloads.get(number) ?? "",
  }));
}
