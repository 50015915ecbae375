import type { Database } from "../database/database.ts";
import { findInParts, isSharded } from "../database/parts.ts";
import { sql } from "../database/sql.ts";

export interface Waiting {
  readonly status: "pending" | "blocked";
  readonly count: number;
  readonly ageSeconds: number;
}

/** What is written down and not finished, of all companies, counted up to a number for each endpoint. */
export async function countWritten(database: Database, perEndpointMax: number): Promise<Waiting[]> {
  if (await isSharded(database)) return countWrittenOnNodes(database, perEndpointMax);
  return database.query<Waiting>(sql`
    select d.status, sum(d.count)::bigint as count, max(d.age_seconds) as "ageSeconds"
    from event_cursors c
    cross join lateral count_unfinished(c.company_id, ${perEndpointMax}) as d
    where c.due_at is not null
    group by d.status`);
}

/** Where companies are on several nodes: how many are asked for, those for which something is due first. */
const companiesMax = 100;

/** The same where companies are on several nodes: a function reads rows on the node of the company that it is called with. */
async function countWrittenOnNodes(database: Database, perEndpointMax: number): Promise<Waiting[]> {
  const companies = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select company_id from event_cursors where company_id ${which} and due_at is not null
      order by due_at limit ${companiesMax}`),
  );
  const counted: Waiting[] = [];
  for (const { company_id } of companies)
    counted.push(
      ...(await database.query<Waiting>(sql`
        select status, count, age_seconds as "ageSeconds" from count_unfinished(${company_id}, ${perEndpointMax})`)),
    );
  return counted;
}

export async function selectClaimingCompanies(
  database: Database,
  limit: number,
): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select distinct company_id from claims where company_id ${which} order by company_id limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}

/** What nodes have in hand of a company. */
export async function countInHand(database: Database, companyId: string): Promise<Waiting[]> {
  return database.query<Waiting>(sql`
    select case when is_behind then 'blocked' else 'pending' end as status, count(*) as count,
      extract(epoch from now() - min(created_at))::float8 as "ageSeconds"
    from deliveries_in_hand(${companyId}, null, null) group by is_behind`);
}

export async function countOpenBreakers(database: Database): Promise<number> {
  const rows = await findInParts(database, (which) =>
    database.query<{ count: number }>(sql`
      select count(*) as count from endpoints where opened_at is not null and company_id ${which}`),
  );
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Companies with something to tell now that nobody has taken, and for how long the first of it has waited. */
export async function measureUntaken(
  database: Database,
): Promise<{ readonly depth: number; readonly ageSeconds: number }> {
  const rows = await findInParts(database, (which) =>
    database.query<{ depth: number; age: number | null }>(sql`
      select count(*) as depth, extract(epoch from now() - min(least(c.due_at, e.created_at)))::float8 as age
      from event_cursors c
      cross join lateral (
        select i.last_event from books i where i.company_id ${which} and i.company_id = c.company_id limit 1
      ) as b
      left join lateral (
        select true as is_listening from webhooks i
        where i.company_id ${which} and c.last_event < b.last_event and i.company_id = c.company_id
          and i.disabled_at is null
        limit 1
      ) as w on true
      left join lateral (
        select i.created_at from event_runs i
        where i.company_id ${which} and w.is_listening and i.company_id = c.company_id and i.last_number > c.last_event
        order by i.last_number limit 1
      ) as e on true
      where c.company_id ${which} and (c.due_at <= now() or w.is_listening)`),
  );
  return {
    depth: rows.reduce((sum, { depth }) => sum + depth, 0),
    ageSeconds: Math.max(0, ...rows.map(({ age }) => age ?? 0)),
  };
}
