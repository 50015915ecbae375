import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface Waiting {
  readonly status: "pending" | "blocked";
  readonly count: number;
  readonly ageSeconds: number;
}

/** What is written down and not finished, of all companies, counted up to a number for each endpoint. */
export async function countWritten(
  database: Queryable,
  perEndpointMax: number,
): Promise<Waiting[]> {
  return database.query<Waiting>(sql`
    select d.status, sum(d.count)::bigint as count, max(d.age_seconds) as "ageSeconds"
    from event_cursors c
    cross join lateral count_unfinished(c.company_id, ${perEndpointMax}) as d
    where c.due_at is not null
    group by d.status`);
}

export async function selectClaimingCompanies(
  database: Queryable,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ company_id: string }>(sql`
    select distinct company_id from claims order by company_id limit ${limit}`);
  return rows.map((row) => row.company_id);
}

/** What nodes have in hand of a company. */
export async function countInHand(database: Queryable, companyId: string): Promise<Waiting[]> {
  return database.query<Waiting>(sql`
    select case when is_behind then 'blocked' else 'pending' end as status, count(*) as count,
      extract(epoch from now() - min(created_at))::float8 as "ageSeconds"
    from deliveries_in_hand(${companyId}, null, null) group by is_behind`);
}

export async function countOpenBreakers(database: Queryable): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from endpoints where open_until > now() and failures > 0 and company_id is not null`);
  return rows[0]?.count ?? 0;
}

/** Companies with something to tell now that nobody has taken, and for how long the first of it has waited. */
export async function measureUntaken(
  database: Queryable,
): Promise<{ readonly depth: number; readonly ageSeconds: number }> {
  const rows = await database.query<{ depth: number; age: number | null }>(sql`
    select count(*) as depth, extract(epoch from now() - min(least(c.due_at, e.created_at)))::float8 as age
    from event_cursors c
    cross join lateral (
      select i.last_event from books i where i.company_id = c.company_id limit 1
    ) as b
    left join lateral (
      select true as is_listening from webhooks i
      where c.last_event < b.last_event and i.company_id = c.company_id and i.disabled_at is null
      limit 1
    ) as w on true
    left join lateral (
      select i.created_at from event_runs i
      where w.is_listening and i.company_id = c.company_id and i.last_number > c.last_event
      order by i.last_number limit 1
    ) as e on true
    where c.due_at <= now() or w.is_listening`);
  return { depth: rows[0]?.depth ?? 0, ageSeconds: Math.max(0, rows[0]?.age ?? 0) };
}
