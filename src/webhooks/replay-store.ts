import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { DeliveryStatus } from "./webhook.ts";

export interface ReplayRange {
  readonly since: Date;
  readonly until: Date;
  /** Only what never arrived; otherwise also what did. */
  readonly failedOnly: boolean;
}

const undelivered: readonly DeliveryStatus[] = ["failed", "superseded", "cancelled"];
const finished: readonly DeliveryStatus[] = ["delivered", ...undelivered];

export async function countReplayable(
  database: Queryable,
  companyId: string,
  webhookId: string,
  range: ReplayRange,
): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId}
      and created_at >= ${range.since} and created_at <= ${range.until}
      and status = any(${range.failedOnly ? undelivered : finished}::text[])`);
  return rows[0]?.count ?? 0;
}

/** The next event numbers of the range, in order. Read along the primary key: a requeued row does not come twice. */
export async function selectReplayable(
  database: Queryable,
  companyId: string,
  webhookId: string,
  range: ReplayRange,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await database.query<{ event_number: number }>(sql`
    select event_number from deliveries
    where company_id = ${companyId} and webhook_id = ${webhookId} and event_number > ${after}
      and created_at >= ${range.since} and created_at <= ${range.until}
      and status = any(${range.failedOnly ? undelivered : finished}::text[])
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
    select company_id from webhooks where id = ${webhookId} and deleted_at is null`);
  return rows[0]?.company_id;
}
