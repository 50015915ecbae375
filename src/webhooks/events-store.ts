import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Topic } from "./event.ts";

/** Events that happened together are kept in runs of so many at most, each known by the number of its last one. */
export const runMax = 64;

/** Where a company's events end, and how far a reader would come in one go. */
export interface EventRange {
  /** The last that happened; 0: nothing ever did. */
  readonly last: number;
  /** The last of those that would be looked at; null: there is none. */
  readonly upto: number | null;
  /** The one behind the last gap among them; null: they follow `after` without one. */
  readonly behind_gap: number | null;
}

/** Events that nobody has to hear of any more are forgotten after a time, and leave gaps. */
export async function selectEventRange(
  database: Queryable,
  companyId: string,
  after: number,
  lookedAtMax: number,
): Promise<EventRange | undefined> {
  const [range] = await database.query<EventRange>(sql`
    select b.last_event as last, w.upto, w.behind_gap
    from books b
    cross join lateral (
      select max(least(r.last_number, r.first_number + ${lookedAtMax} - r.earlier - 1))::bigint as upto,
        max(r.first_number) filter (where r.first_number <> r.before + 1) as behind_gap
      from (
        select n.first_number, n.last_number, lag(n.last_number, 1, ${after}::bigint) over by_number as before,
          sum(n.last_number - n.first_number + 1) over by_number - (n.last_number - n.first_number + 1) as earlier
        from (
          select greatest(i.last_number - cardinality(i.subject_ids), ${after}::bigint) + 1 as first_number, i.last_number
          from event_runs i
          where i.company_id = ${companyId} and i.last_number > ${after}
          order by i.last_number limit ${lookedAtMax}
        ) as n
        window by_number as (order by n.last_number)
      ) as r
      where r.earlier < ${lookedAtMax}
    ) as w
    where b.company_id = ${companyId}`);
  return range;
}

export interface EventRow {
  readonly number: number;
  readonly topic: Topic;
  readonly subject_id: string;
  readonly created_at: Date;
  /** Null where it is made of what is in the books for good. */
  readonly payload: string | null;
}

/** In the order in which they happened. */
export async function selectEvents(
  database: Queryable,
  companyId: string,
  range: { readonly after: number; readonly upto: number },
  topics: readonly Topic[],
  limit: number,
): Promise<EventRow[]> {
  return database.query<EventRow>(sql`
    select number, topic, subject_id, created_at, payload from events
    where company_id = ${companyId} and last_number > ${range.after} and last_number < ${range.upto + runMax}
      and number > ${range.after} and number <= ${range.upto} and topic = any (${topics}::topic[])
    order by number limit ${limit}`);
}

/** Of these companies, those that something has happened to since, with the number of their last event. */
export async function selectLastEvents(
  database: Queryable,
  companyIds: readonly string[],
): Promise<{ readonly company_id: string; readonly last_event: number }[]> {
  return database.query(sql`
    select company_id, last_event from books where company_id = any (${companyIds}::uuid[])`);
}
