import type { Database, Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { patienceMs } from "./delivery-policy.ts";
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  endpointIdOf,
  type Webhook,
} from "./webhook.ts";

interface DeliveryRow {
  readonly event_number: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly told_at: Date | null;
  readonly told_ms: number | null;
  readonly told_code: number | null;
  readonly told_response: string | null;
}

/** A delivery as it is written down, and of its attempts the one that was acknowledged. */
export interface StoredDelivery extends Omit<Delivery, "waitingFor"> {
  readonly told: Attempt | undefined;
}

const everything = Number.MAX_SAFE_INTEGER;

/**
 * A webhook's deliveries with event numbers between two bounds, which are not part of it: those that are written down, and
 * those that are in the hand of a node. The newest first, or the oldest first if `after` is given; at most `limit`.
 */
export async function selectDeliveries(
  database: Queryable,
  companyId: string,
  webhook: Webhook,
  page: { readonly limit: number; readonly before?: number; readonly after?: number },
): Promise<StoredDelivery[]> {
  const { limit, before = everything, after } = page;
  // What is in hand comes first: what is written down meanwhile is then found twice, instead of not at all.
  const inHand = await selectInHand(database, companyId, webhook, after ?? 0, before);
  const written =
    after === undefined
      ? await database.query<DeliveryRow>(sql`
          select * from deliveries
          where company_id = ${companyId} and webhook_id = ${webhook.id} and event_number < ${before}
          order by event_number desc limit ${limit}`)
      : await database.query<DeliveryRow>(sql`
          select * from deliveries
          where company_id = ${companyId} and webhook_id = ${webhook.id} and event_number > ${after}
          order by event_number limit ${limit}`);
  const rows = new Map([...inHand, ...written].map((row) => [row.event_number, row]));
  const newestFirst = [...rows.values()].toSorted((a, b) => b.event_number - a.event_number);
  const ordered = after === undefined ? newestFirst : newestFirst.toReversed();
  return ordered.slice(0, limit).map((row) => toDelivery(webhook, row));
}

export async function selectDelivery(
  database: Queryable,
  companyId: string,
  webhook: Webhook,
  eventNumber: number,
): Promise<StoredDelivery | undefined> {
  const [found] = await selectDeliveries(database, companyId, webhook, {
    limit: 1,
    before: eventNumber + 1,
  });
  return found?.eventNumber === eventNumber ? found : undefined;
}

/** What a node is telling, and has written down nowhere but in its claim. */
async function selectInHand(
  database: Queryable,
  companyId: string,
  webhook: Webhook,
  after: number,
  before: number,
): Promise<DeliveryRow[]> {
  return database.query<DeliveryRow>(sql`
    select event_number, case when is_behind then 'blocked' else 'pending' end as status, 0 as attempts,
      due_at as next_attempt_at, created_at, created_at as updated_at, null as told_at
    from deliveries_in_hand(${companyId}, array[${endpointIdOf(webhook.url)}::uuid], null)
    where webhook_id = ${webhook.id} and event_number > ${after} and event_number < ${before}`);
}

/** The attempts that were not acknowledged, and those that a redelivery came after. */
export async function selectAttempts(
  database: Queryable,
  companyId: string,
  webhookId: string,
  eventNumbers: readonly number[],
): Promise<(Attempt & { readonly eventNumber: number })[]> {
  const rows = await database.query<{
    event_number: number;
    attempt: number;
    started_at: Date;
    duration_ms: number;
    status_code: number | null;
    error: string | null;
    response: string | null;
  }>(sql`
    select * from attempts
    where company_id = ${companyId} and webhook_id = ${webhookId} and event_number = any(${eventNumbers}::bigint[])
    order by event_number, attempt`);
  return rows.map((row) => ({
    eventNumber: row.event_number,
    attempt: row.attempt,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    error: row.error,
    response: row.response,
  }));
}

/** Starts the schedule of finished deliveries anew; answers how many there were, undefined: the webhook is not in service. */
export async function requeueDeliveries(
  database: Database,
  companyId: string,
  webhookId: string,
  eventNumbers: readonly number[],
): Promise<number | undefined> {
  const rows = await database.execute<{ count: number | null }>(sql`
    select requeue_deliveries(${companyId}, ${webhookId}, ${eventNumbers}::bigint[], ${patienceMs}) as count`);
  return rows[0]?.count ?? undefined;
}

/** See forget_deliveries; true when there may be more. */
export async function deleteOldDeliveries(
  database: Database,
  companyId: string,
  days: number,
  limit: number,
): Promise<boolean> {
  const rows = await database.execute<{ more: boolean }>(sql`
    select forget_deliveries(${companyId}, make_interval(days => ${days}), ${limit}, ${patienceMs}) as more`);
  return rows[0]?.more ?? false;
}

/** See make_delivery_months. */
export async function makeMonths(
  database: Database,
  ahead: number,
  waitMs: number,
): Promise<number> {
  const rows = await database.execute<{ made: number }>(sql`
    select make_delivery_months(${ahead}, ${waitMs}) as made`);
  return rows[0]?.made ?? 0;
}

/** See forget_delivery_month; undefined when no month was forgotten. */
export async function forgetMonth(
  database: Database,
  days: { readonly kept: number; readonly patience: number },
  carriedMax: number,
  waitMs: number,
): Promise<string | undefined> {
  const rows = await database.execute<{ month: string | null }>(sql`
    select forget_delivery_month(
      make_interval(days => ${days.kept}), ${carriedMax}, make_interval(days => ${days.patience}), ${waitMs}) as month`);
  return rows[0]?.month ?? undefined;
}

function toDelivery(webhook: Webhook, row: DeliveryRow): StoredDelivery {
  return {
    webhookId: webhook.id,
    eventNumber: row.event_number,
    topic: webhook.topic,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === "pending" ? row.next_attempt_at : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    told:
      row.told_at === null
        ? undefined
        : {
            attempt: row.attempts,
            startedAt: row.told_at,
            durationMs: row.told_ms ?? 0,
            statusCode: row.told_code,
            error: null,
            response: row.told_response,
          },
  };
}
