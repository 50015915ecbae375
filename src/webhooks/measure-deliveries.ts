import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface DeliveryMeasures {
  readonly waiting: {
    readonly status: "pending" | "blocked";
    readonly count: number;
    readonly ageSeconds: number;
  }[];
  readonly openBreakers: number;
}

/**
 * A receiver that is down can have any number waiting, and a number this large says enough. Those of the oldest
 * objects are counted, so that the age is true.
 */
const countedPerEndpointMax = 1_000;

/** For /metrics: what is still to be told, by the companies that have something to tell. */
export async function measureDeliveries(database: Database): Promise<DeliveryMeasures> {
  const waiting = await database.query<{
    status: "pending" | "blocked";
    count: number;
    age: number;
  }>(sql`
    select d.status, count(*) as count, extract(epoch from now() - min(d.created_at))::float8 as age
    from work w
    join endpoints n on n.company_id = w.company_id
    cross join lateral (
      select i.status, i.created_at from deliveries i
      where i.company_id = n.company_id and i.endpoint_id = n.id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.subject_id, i.event_number
      limit ${countedPerEndpointMax}
    ) as d
    where w.queue = 'webhooks'
    group by d.status`);
  const open = await database.query<{ count: number }>(sql`
    select count(*) as count from endpoints where open_until > now()`);
  return {
    waiting: waiting.map(({ status, count, age }) => ({ status, count, ageSeconds: age })),
    openBreakers: open[0]?.count ?? 0,
  };
}
