import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Topic } from "./event.ts";

/** A webhook that is not told what happens. */
export interface Trouble {
  readonly webhookId: string;
  readonly topic: Topic;
  readonly url: string;
  /** Since when nothing has been acknowledged; null: it is only disabled. */
  readonly failingSince: Date | null;
  /** Null: it is still tried. */
  readonly disabledReason: string | null;
}

/** Webhooks that were disabled, or whose address has failed so many times in a row. A company has twenty at the most. */
export async function selectTroubles(
  database: Queryable,
  companyId: string,
  failuresMin: number,
): Promise<Trouble[]> {
  return database.query<Trouble>(sql`
    select w.id as "webhookId", w.topic, w.url, e.failing_since as "failingSince", w.disabled_reason as "disabledReason"
    from webhooks w
    join endpoints e on e.company_id = ${companyId} and e.id = w.endpoint_id
    where w.company_id = ${companyId} and (w.disabled_at is not null or e.failures >= ${failuresMin})
    order by w.id`);
}
