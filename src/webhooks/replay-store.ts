import type { Queryable } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { DeliveryStatus } from "./webhook.ts";

export interface ReplayRange {
  readonly since: Date;
  readonly until: Date;
  /** Only what never arrived; otherwise also what did. */
  readonly failedOnly: boolean;
}

/** The event numbers among which all of a range of time are. */
export interface NumberRange {
  readonly first: number;
  /** Not part of it any more. */
  readonly end: number;
}

const undelivered: readonly DeliveryStatus[] = ["failed", "superseded", "cancelled"];
const finished: readonly DeliveryStatus[] = ["delivered", ...undelivered];

/** Deliveries are made in the order of their numbers; a transaction that waited may be this much out of it. */
const disorderMs = 60_000;

/** No index knows the time of a delivery, but numbers grow with it: found by halving, a few steps along the key. */
export async function findNumbers(
  database: Queryable,
  companyId: string,
  webhookId: string,
  { since, until }: ReplayRange,
): Promise<NumberRange> {
  const [last] = await database.query<{ event_number: number }>(sql`
    select event_number from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId}
    order by event_number desc limit 1`);
  const firstSince = async (momentMs: number) => {
    let before = 0;
    let from = (last?.event_number ?? 0) + 1;
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      const [next] = await database.query<{ event_number: number; created_at: Date }>(sql`
        select event_number, created_at from deliveries
        where company_id = ${companyId} and webhook_id = ${webhookId} and event_number >= ${middle}
        order by event_number limit 1`);
      if (next === undefined || next.created_at.getTime() >= momentMs) from = middle;
      else before = next.event_number;
    }
    return from;
  };
  return {
    first: await firstSince(since.getTime() - disorderMs),
    end: await firstSince(until.getTime() + disorderMs),
  };
}

/** Their numbers lead to them. Written as a difference, so that no index is walked for the time as well. */
function ofTime({ since, until }: ReplayRange): Query {
  return sql`created_at - ${since}::timestamptz >= interval '0' and created_at - ${until}::timestamptz <= interval '0'`;
}

export async function countReplayable(
  database: Queryable,
  companyId: string,
  webhookId: string,
  range: ReplayRange,
  { first, end }: NumberRange,
): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId}
      and event_number >= ${first} and event_number < ${end}
      and ${ofTime(range)}
      and status = any(${range.failedOnly ? undelivered : finished}::delivery_status[])`);
  return rows[0]?.count ?? 0;
}

/** The next event numbers of the range, in order. Read along the primary key: a requeued row does not come twice. */
export async function selectReplayable(
  database: Queryable,
  companyId: string,
  webhookId: string,
  range: ReplayRange,
  { first, end }: NumberRange,
  limit: number,
): Promise<number[]> {
  const rows = await database.query<{ event_number: number }>(sql`
    select event_number from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId}
      and event_number >= ${first} and event_number < ${end}
      and ${ofTime(range)}
      and status = any(${range.failedOnly ? undelivered : finished}::delivery_status[])
    order by event_number
    limit ${limit}`);
  return rows.map((row) => row.event_number);
}

/** The operator knows a webhook by its id alone. */
export async function selectWebhookCompany(
  database: Queryable,
  webhookId: string,
): Promise<string | undefined> {
  const rows = await database.query<{ company_id: string }>(sql`
    select company_id from webhooks where id = ${webhookId}`);
  return rows[0]?.company_id;
}
