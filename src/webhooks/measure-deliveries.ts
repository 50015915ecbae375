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

/** For /metrics: what is still to be told, over all companies. Reads only the indexes of unfinished deliveries. */
export async function measureDeliveries(database: Database): Promise<DeliveryMeasures> {
  const waiting = await database.query<{
    status: "pending" | "blocked";
    count: number;
    age: number;
  }>(sql`
    select status, count(*) as count, extract(epoch from now() - min(created_at))::float8 as age
    from deliveries where status in ('pending', 'blocked') and event_number > 0 group by status`);
  const open = await database.query<{ count: number }>(sql`
    select count(*) as count from endpoints where open_until > now()`);
  return {
    waiting: waiting.map(({ status, count, age }) => ({ status, count, ageSeconds: age })),
    openBreakers: open[0]?.count ?? 0,
  };
}
