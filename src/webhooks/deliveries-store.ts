import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { Topic } from "./event.ts";
import type { Attempt, Delivery, DeliveryStatus } from "./webhook.ts";

/** A delivery in the hands of a dispatcher. */
export interface TakenDelivery {
  readonly webhook_id: string;
  readonly event_number: number;
  readonly endpoint_id: string;
  readonly url: string;
  readonly topic: Topic;
  readonly attempts: number;
  readonly tries: number;
  readonly payload: string;
}

export interface AttemptOutcome {
  readonly webhookId: string;
  readonly eventNumber: number;
  readonly outcome: "delivered" | "retry" | "failed" | "gone";
  readonly delayMs: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** A receiver that fails this often in a row is asked with one probe at a time, after a pause. */
const breakerAfter = 10;
const supersededAfter = 3;
const disableAfterDays = 5;

/** Turns new events into deliveries; true when there may be more. */
export async function fanOut(
  database: Database,
  companyId: string,
  limit: number,
  delayMs: number,
): Promise<boolean> {
  const rows = await database.execute<{ more: boolean }>(sql`
    select fan_out_events(${companyId}, ${limit}, make_interval(secs => ${delayMs / 1_000})) as more`);
  return rows[0]?.more ?? false;
}

export async function takeDeliveries(
  database: Database,
  companyId: string,
  claimId: string,
  room: number,
  rooms: ReadonlyMap<string, number>,
): Promise<TakenDelivery[]> {
  return database.execute<TakenDelivery>(sql`
    select * from take_deliveries(
      ${companyId}, ${claimId}, ${room}, ${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[], ${breakerAfter})`);
}

export async function recordAttempts(
  tx: Tx,
  companyId: string,
  claimId: string,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  await tx.query(sql`
    select record_attempts(
      ${companyId}, ${claimId},
      ${outcomes.map(({ webhookId }) => webhookId)}::uuid[],
      ${outcomes.map(({ eventNumber }) => eventNumber)}::bigint[],
      ${outcomes.map(({ outcome }) => outcome)}::text[],
      ${outcomes.map(({ delayMs }) => delayMs)}::bigint[],
      ${outcomes.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[],
      ${outcomes.map(({ durationMs }) => durationMs)}::integer[],
      ${outcomes.map(({ statusCode }) => statusCode)}::integer[],
      ${outcomes.map(({ error }) => error)}::text[],
      ${outcomes.map(({ response }) => response)}::text[],
      ${supersededAfter}, ${breakerAfter}, make_interval(days => ${disableAfterDays}))`);
}

/** Gives back what was taken and not sent, so that another node need not wait for the claim to run out. */
export async function returnDeliveries(
  database: Database,
  companyId: string,
  claimId: string,
  deliveries: readonly Pick<TakenDelivery, "webhook_id" | "event_number">[],
): Promise<void> {
  const byWebhook = groupBy(deliveries, ({ webhook_id }) => webhook_id);
  await database.transaction(async (tx) => {
    await tx.query(sql`select lock_deliveries(${companyId})`);
    for (const [webhookId, group] of byWebhook) {
      await tx.query(sql`
        update deliveries set claim_id = null, claimed_until = null
        where company_id = ${companyId} and webhook_id = ${webhookId}
          and event_number = any(${group.map(({ event_number }) => event_number)}::bigint[])
          and claim_id = ${claimId}`);
    }
  });
}

/**
 * In how many milliseconds a company has something to send; undefined when nothing is waiting. Endpoints with a
 * pause are not looked at before it is over, nor new events before theirs.
 */
export async function selectNextDueMs(
  tx: Tx,
  companyId: string,
  pauses: ReadonlyMap<string, number>,
  eventsPauseMs: number,
): Promise<number | undefined> {
  const rows = await tx.query<{ due_ms: number | null }>(sql`
    -- greatest() passes over null, which would make "nothing" of it "now".
    select case when min(w.due) is not null then
      greatest(0, extract(epoch from min(w.due) - clock_timestamp()) * 1000)::float8 end as due_ms
    from (
      select now() + ${eventsPauseMs} * interval '1 millisecond' as due from event_cursors c
      where c.company_id = ${companyId} and exists (
        select 1 from events e where e.company_id = ${companyId} and e.number > c.last_event)
        and exists (
          select 1 from webhooks k
          where k.company_id = ${companyId} and k.deleted_at is null and k.disabled_at is null)
      union all
      select now() + min(p.pause_ms) * interval '1 millisecond'
      from unnest(${[...pauses.values()]}::float8[]) as p(pause_ms)
      union all
      -- While an endpoint is tried with one probe, what waits behind it is not due.
      select greatest(n.open_until, case
        when n.failures >= ${breakerAfter} and held.claimed_until is not null then held.claimed_until
        else least(free.next_attempt_at, held.claimed_until) end)
      from endpoints n
      left join lateral (
        select i.next_attempt_at from deliveries i
        where i.company_id = ${companyId} and i.endpoint_id = n.id and i.status = 'pending'
          and (i.claimed_until is null or i.claimed_until <= now())
        order by i.next_attempt_at limit 1
      ) as free on true
      left join lateral (
        -- All that is due before the first free one is being sent, by somebody who may have died.
        select min(i.claimed_until) as claimed_until from deliveries i
        where i.company_id = ${companyId} and i.endpoint_id = n.id and i.status = 'pending'
          and i.next_attempt_at <= coalesce(free.next_attempt_at, 'infinity') and i.claimed_until > now()
      ) as held on true
      where n.company_id = ${companyId} and n.id <> all (${[...pauses.keys()]}::uuid[])
        and (free.next_attempt_at is not null or held.claimed_until is not null)
    ) as w`);
  return rows[0]?.due_ms ?? undefined;
}

interface DeliveryRow {
  readonly webhook_id: string;
  readonly event_number: number;
  readonly topic: Topic;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly next_attempt_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A webhook's deliveries, newest first, below an event number; one more than the limit tells of a next page. */
export async function selectDeliveries(
  database: Queryable,
  companyId: string,
  webhookId: string,
  page: { readonly limit: number; readonly before?: number; readonly after?: number },
): Promise<Delivery[]> {
  const rows =
    page.after === undefined
      ? await database.query<DeliveryRow>(sql`
          select * from deliveries
          where company_id = ${companyId} and webhook_id = ${webhookId} and event_number < ${page.before ?? Number.MAX_SAFE_INTEGER}
          order by event_number desc limit ${page.limit + 1}`)
      : await database.query<DeliveryRow>(sql`
          select * from deliveries
          where company_id = ${companyId} and webhook_id = ${webhookId} and event_number > ${page.after}
          order by event_number limit ${page.limit + 1}`);
  return rows.map(toDelivery);
}

export async function selectDelivery(
  database: Queryable,
  companyId: string,
  webhookId: string,
  eventNumber: number,
): Promise<Delivery | undefined> {
  const rows = await database.query<DeliveryRow>(sql`
    select * from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId} and event_number = ${eventNumber}`);
  return rows[0] && toDelivery(rows[0]);
}

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

/** Starts the schedule of finished deliveries anew; returns how many there were. */
export async function requeueDeliveries(
  database: Database,
  companyId: string,
  webhookId: string,
  eventNumbers: readonly number[],
): Promise<number> {
  const rows = await database.execute<{ count: number }>(sql`
    select requeue_deliveries(${companyId}, ${webhookId}, ${eventNumbers}::bigint[]) as count`);
  return rows[0]?.count ?? 0;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    webhookId: row.webhook_id,
    eventNumber: row.event_number,
    topic: row.topic,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === "pending" ? row.next_attempt_at : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
