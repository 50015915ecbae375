import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const deletedAtOnceMax = 1_000;

/**
 * Deletes what is older than 30 days and finished: attempts, deliveries, and events nobody needs any more.
 * A bounded number; returns true when there may be more.
 */
export async function forgetDeliveries(database: Database, companyId: string): Promise<boolean> {
  const attempts = await database.query(sql`
    delete from attempts where company_id = ${companyId} and started_at > '-infinity' and (webhook_id, event_number, attempt) in (
      select webhook_id, event_number, attempt from attempts
      where company_id = ${companyId} and started_at < now() - interval '30 days' and started_at > '-infinity'
      order by started_at limit ${deletedAtOnceMax})
    returning attempt`);
  const deliveries = await database.query(sql`
    delete from deliveries where company_id = ${companyId} and (webhook_id, event_number) in (
      select webhook_id, event_number from deliveries
      where company_id = ${companyId} and created_at < now() - interval '30 days' and created_at > '-infinity'
        and status not in ('pending', 'blocked')
      order by created_at limit ${deletedAtOnceMax})
    returning event_number`);
  // Numbers follow time, so only the first of them can be old: looking there is enough.
  const events = await database.query(sql`
    delete from events where company_id = ${companyId} and number in (
      select e.number from (
        select number, created_at from events where company_id = ${companyId} order by number limit ${deletedAtOnceMax}
      ) as e
      where e.created_at < now() - interval '30 days' and not exists (
        select 1 from deliveries d
        where d.company_id = ${companyId} and d.event_number = e.number
          and d.webhook_id in (select id from webhooks where company_id = ${companyId})))
    returning number`);
  return [attempts, deliveries, events].some(({ length }) => length === deletedAtOnceMax);
}
