import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** Transfers that ended together. */
export interface EndedRow {
  /** Of which range, counted from 1. */
  readonly place: number;
  readonly ended_ms: number;
  readonly completed: number;
  readonly failed: number;
}

/** No set has more. */
const rangeMax = 10_001;

/** What has ended of ranges of ids, each of which was numbered together. */
export async function selectEnded(
  database: Queryable,
  companyId: string,
  ranges: readonly { readonly first: string; readonly last: string }[],
): Promise<EndedRow[]> {
  return database.query<EndedRow>(sql`
    select x.place::integer as place, (extract(epoch from o.ended_at) * 1000)::bigint as ended_ms,
      count(*) filter (where o.status = 'completed') as completed,
      count(*) filter (where o.status = 'failed') as failed
    from unnest(${ranges.map(({ first }) => first)}::uuid[], ${ranges.map(({ last }) => last)}::uuid[])
      with ordinality as x(first, last, place)
    cross join lateral (
      select i.ended_at, i.status from outcomes i
      where i.company_id = ${companyId} and i.id >= x.first and i.id <= x.last
      order by i.id limit ${rangeMax}
    ) as o
    group by x.place, o.ended_at`);
}
