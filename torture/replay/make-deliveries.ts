import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

export interface MadeDeliveries {
  readonly name: string;
  readonly count: number;
  readonly status: string;
  readonly at: Date;
}

/** Deliveries of the past, each of an object of its own, as the service would have left them. */
export async function makeDeliveries(
  database: Database,
  companyId: string,
  webhookId: string,
  made: MadeDeliveries,
): Promise<void> {
  const attempts = made.status === "delivered" ? 1 : 12;
  await database.transaction(async (tx) => {
    const rows = await tx.query<{ last_event: number }>(sql`
      update books set last_event = last_event + ${made.count}
      where company_id = ${companyId} returning last_event`);
    const last = rows[0]?.last_event ?? 0;
    await tx.query(sql`
      update event_cursors set last_event = ${last} where company_id = ${companyId}`);
    await tx.query(sql`
      insert into event_runs (company_id, last_number, topic, subject_ids, payloads, created_at)
      select ${companyId}, ${last} - x + 1, 'charge/events', array[gen_random_uuid()],
        array[json_build_object('data', json_build_object('reference', ${made.name} || ' ' || x))::text], ${made.at}
      from generate_series(1, ${made.count}::bigint) as x`);
    await tx.query(sql`
      insert into deliveries (company_id, webhook_id, event_number, endpoint_id, subject_id,
        status, attempts, tries, created_at, updated_at)
      select e.company_id, w.id, e.number, w.endpoint_id, e.subject_id,
        ${made.status}, ${attempts}::integer, ${attempts}::integer, ${made.at}, ${made.at}
      from events e join webhooks w on w.company_id = e.company_id and w.id = ${webhookId}
      where e.company_id = ${companyId} and e.number > ${last - made.count}`);
  });
}
