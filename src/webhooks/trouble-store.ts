import type { Database, Queryable } from "../database/database.ts";
import { findInParts } from "../database/parts.ts";
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

export interface FailingWebhook extends Trouble {
  readonly companyId: string;
  readonly failures: number;
  /** Nothing is sent before this moment; null: whenever something is due. */
  readonly openUntil: Date | null;
}

/** The same over all companies, those that have failed for longest first. */
export async function selectFailing(
  database: Database,
  failuresMin: number,
  limit: number,
): Promise<FailingWebhook[]> {
  return findInParts(database, (which) =>
    database.query<FailingWebhook>(sql`
      select w.company_id as "companyId", w.id as "webhookId", w.topic, w.url, e.failing_since as "failingSince",
        w.disabled_reason as "disabledReason", e.failures, e.open_until as "openUntil"
      from (
        select i.company_id, i.id, i.failures, i.failing_since, i.open_until from endpoints i
        where i.company_id ${which} and i.failing_since is not null and i.failures >= ${failuresMin}
        order by i.failing_since limit ${limit}
      ) as e
      join webhooks w on w.company_id = e.company_id and w.endpoint_id = e.id and w.company_id ${which}
      order by e.failing_since, w.id limit ${limit}`),
  );
}
