import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Topic } from "./event.ts";
import { runMax } from "./events-store.ts";
import type { DeliveryStatus } from "./webhook.ts";

/** Something that happened to an object, as it is kept. */
export interface KeptEvent {
  readonly number: number;
  readonly topic: Topic;
  readonly createdAt: Date;
}

/** Telling one webhook of it, as far as it is written down. */
export interface WrittenDelivery {
  readonly eventNumber: number;
  readonly webhookId: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly updatedAt: Date;
  /** What the receiver answered when it acknowledged. */
  readonly toldCode: number | null;
}

export async function selectLastEvent(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query<{ number: number }>(sql`
    select last_number as number from event_runs where company_id = ${companyId} order by last_number desc limit 1`);
  return rows[0]?.number ?? 0;
}

/** Of this event, or the next one that is still kept. */
export async function selectEventTime(
  database: Queryable,
  companyId: string,
  number: number,
): Promise<Date | undefined> {
  const rows = await database.query<{ created_at: Date }>(sql`
    select created_at from event_runs
    where company_id = ${companyId} and last_number >= ${number} order by last_number limit 1`);
  return rows[0]?.created_at;
}

export async function selectEventsOf(
  database: Queryable,
  companyId: string,
  subjectId: string,
  range: { readonly from: number; readonly before: number },
): Promise<KeptEvent[]> {
  return database.query<KeptEvent>(sql`
    select number, topic, created_at as "createdAt" from events
    where company_id = ${companyId} and last_number >= ${range.from} and last_number < ${range.before + runMax}
      and number >= ${range.from} and number < ${range.before} and subject_id = ${subjectId}
    order by number`);
}

export async function selectWrittenDeliveries(
  database: Queryable,
  companyId: string,
  eventNumbers: readonly number[],
): Promise<WrittenDelivery[]> {
  return database.query<WrittenDelivery>(sql`
    select d.event_number as "eventNumber", d.webhook_id as "webhookId", w.url, d.status, d.attempts,
      d.next_attempt_at as "nextAttemptAt", d.updated_at as "updatedAt", d.told_code as "toldCode"
    from webhooks w, unnest(${eventNumbers}::bigint[]) as e(number)
    cross join lateral (
      select * from deliveries
      where company_id = ${companyId} and webhook_id = w.id and event_number = e.number limit 1
    ) d
    where w.company_id = ${companyId}
    order by d.event_number, d.webhook_id`);
}
