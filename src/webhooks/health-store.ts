import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** How the address of a webhook answers. */
export interface EndpointState {
  readonly webhookId: string;
  /** In a row. */
  readonly failures: number;
  readonly failingSince: Date | null;
  /** Nothing is sent there before this moment. */
  readonly openUntil: Date | null;
  /** When it first answered 2xx; null: never yet. */
  readonly provedAt: Date | null;
  /** Since when its circuit breaker is open. */
  readonly openedAt: Date | null;
  /** When its last outage ended. */
  readonly recoveredAt: Date | null;
  /** By the database's clock. */
  readonly now: Date;
}

export async function selectEndpointStates(
  database: Queryable,
  companyId: string,
): Promise<EndpointState[]> {
  return database.query<EndpointState>(sql`
    select w.id as "webhookId", e.failures, e.failing_since as "failingSince", e.open_until as "openUntil",
      e.proved_at as "provedAt", e.opened_at as "openedAt", e.recovered_at as "recoveredAt", now()
    from webhooks w join endpoints e on e.company_id = ${companyId} and e.id = w.endpoint_id
    where w.company_id = ${companyId}`);
}

/** What came of the newest deliveries of a webhook. */
export interface Recent {
  readonly webhookId: string;
  readonly delivered: number;
  /** Those that ended otherwise than by an acknowledgement. */
  readonly failed: number;
  readonly lastSuccessAt: Date | null;
}

/** Looks at the newest deliveries of each webhook, so many at most. */
export async function selectRecent(
  database: Queryable,
  companyId: string,
  webhookIds: readonly string[],
  limit: number,
): Promise<Recent[]> {
  return database.query<Recent>(sql`
    select w.id as "webhookId", count(*) filter (where d.status = 'delivered') as delivered,
      count(*) filter (where d.status in ('failed', 'superseded')) as failed, max(d.told_at) as "lastSuccessAt"
    from unnest(${webhookIds}::uuid[]) as w(id)
    cross join lateral (
      select i.status, i.told_at from deliveries i
      where i.company_id = ${companyId} and i.webhook_id = w.id
      order by i.event_number desc limit ${limit}
    ) as d
    group by w.id`);
}

/** See count_waiting: what waits to be sent, counted up to a number for each address. */
export async function selectWaiting(
  database: Queryable,
  companyId: string,
  max: number,
): Promise<{ readonly webhookId: string; readonly count: number }[]> {
  return database.query(sql`
    select webhook_id as "webhookId", sum(count)::bigint as count from (
      select webhook_id, count from count_waiting(${companyId}, ${max})
      union all
      select webhook_id, count(*) from deliveries_in_hand(${companyId}, null, null) group by webhook_id
    ) as n
    group by webhook_id`);
}
