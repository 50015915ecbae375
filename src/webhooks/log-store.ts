import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Topic } from "./event.ts";
import { runMax } from "./events-store.ts";
import type { DeliveryStatus } from "./webhook.ts";

/** One line of the log of deliveries. */
export interface LoggedLine {
  readonly webhookId: string;
  readonly eventNumber: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly nextAttemptAt: Date | null;
  /** What the receiver said when it acknowledged, and how long that took. */
  readonly toldCode: number | null;
  readonly toldMs: number | null;
}

/** The newest deliveries of some webhooks before an event number, written down or in the hand of a node. */
export async function selectLines(
  database: Queryable,
  companyId: string,
  webhookIds: readonly string[],
  range: { readonly from: number; readonly before: number },
  limit: number,
): Promise<LoggedLine[]> {
  // What is in hand comes first: what is written down meanwhile is then found twice, instead of not at all.
  const inHand = await database.query<LoggedLine>(sql`
    select webhook_id as "webhookId", event_number as "eventNumber",
      case when is_behind then 'blocked' else 'pending' end as status, 0 as attempts, created_at as "createdAt",
      created_at as "updatedAt", due_at as "nextAttemptAt", null::integer as "toldCode", null::integer as "toldMs"
    from deliveries_in_hand(${companyId}, null, null)
    where webhook_id = any (${webhookIds}::uuid[]) and event_number >= ${range.from} and event_number < ${range.before}`);
  const written = await database.query<LoggedLine>(sql`
    select d.* from unnest(${webhookIds}::uuid[]) as w(id)
    cross join lateral (
      select i.webhook_id as "webhookId", i.event_number as "eventNumber", i.status, i.attempts,
        i.created_at as "createdAt", i.updated_at as "updatedAt", i.next_attempt_at as "nextAttemptAt", i.told_code as "toldCode", i.told_ms as "toldMs"
      from deliveries i
      where i.company_id = ${companyId} and i.webhook_id = w.id
        and i.event_number >= ${range.from} and i.event_number < ${range.before}
      order by i.event_number desc limit ${limit}
    ) as d
    order by d."eventNumber" desc, d."webhookId" limit ${limit}`);
  const lines = new Map(
    [...inHand, ...written].map((line) => [`${line.eventNumber} ${line.webhookId}`, line]),
  );
  return [...lines.values()]
    .toSorted((a, b) => b.eventNumber - a.eventNumber || (a.webhookId < b.webhookId ? -1 : 1))
    .slice(0, limit);
}

/** An event as it is told. */
export interface ToldEvent {
  readonly topic: Topic;
  readonly subjectId: string;
  readonly happenedMs: number;
  /** Null where it is made of what is in the books for good. */
  readonly payload: string | null;
}

export async function selectToldEvent(
  database: Queryable,
  companyId: string,
  number: number,
): Promise<ToldEvent | undefined> {
  const rows = await database.query<ToldEvent>(sql`
    select topic, subject_id as "subjectId", (extract(epoch from created_at) * 1000)::bigint as "happenedMs", payload
    from events
    where company_id = ${companyId} and last_number >= ${number} and last_number < ${number + runMax} and number = ${number}`);
  return rows[0];
}
