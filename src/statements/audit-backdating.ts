import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/**
 * The id of an entry says when it was written. It is above that of the entry before it about the same company, person or customer, and
 * after what was closed of the company's books, whatever the clock does (trail_id). Its place in the chain says after which others it was committed. So an entry that is
 * much older than one that was chained before it was put in later, and dated back: nothing else would tell, because the service
 * chains and signs whatever is new. What a transaction takes to commit is allowed.
 */
const lateness = sql`interval '10 minutes'`;

export const trailTimeChecks: readonly AuditCheck[] = [
  {
    name: "no entry of a company's trail is dated into a day that was sealed before it was chained",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from seals where trail_number is not null`),
    // Each entry is held against the last seal that does not name it yet.
    find: (tx, { opening }) =>
      tx.query<Difference>(sql`
        select coalesce('entry ' || t.number, 'an entry that is not chained') || ' of the trail of company ' || t.company_id as "where",
          'a time after ' || s.until || ', when what was sealed for ' || s.day || ' was over' as expected, time_of_id(t.id)::text as found
        from (
          select company_id, day, until, trail_number, lead(trail_number) over (partition by company_id order by day) as upto
          from seals where trail_number is not null
        ) s
        left join ${opening} o on o.company_id = s.company_id
        join company_trail t on t.company_id = s.company_id
          and (t.number > s.trail_number or (t.number is null and s.upto is null)) and (s.upto is null or t.number <= s.upto)
        where (t.number is null or t.number > coalesce(o.trail_number, 0)) and time_of_id(t.id) < s.until - ${lateness}
        order by t.company_id, t.number limit ${differencesMax}`),
  },
  {
    name: "no entry of a company's trail is dated into what was chained before it",
    count: (tx) => countOf(tx, sql`select count(*) as count from company_trail`),
    find: (tx, { opening }) =>
      tx.query<Difference>(sql`
        select coalesce('entry ' || x.number, 'an entry that is not chained') || ' of the trail of company ' || x.company_id as "where",
          'a time after ' || x.before as expected, x.at::text as found
        from (
          select t.company_id, t.number, time_of_id(t.id) as at, max(time_of_id(t.id)) over (
            partition by t.company_id order by t.number nulls last, t.id rows between unbounded preceding and 1 preceding) as before
          from company_trail t
          left join ${opening} o on o.company_id = t.company_id
          where t.number is null or t.number >= coalesce(o.trail_number, 0)
        ) x
        where x.at < x.before - ${lateness}
        order by x.company_id, x.number limit ${differencesMax}`),
  },
  {
    name: "no entry of what is no company's trail is dated into what was chained before it",
    of: "people",
    count: (tx) =>
      countOf(
        tx,
        sql`select (select count(*) from staff_trail) + (select count(*) from customer_trail)
          + (select count(*) from installation_trail) as count`,
      ),
    find: (tx, { openingTrails }) =>
      tx.query<Difference>(sql`
        select coalesce('entry ' || x.number, 'an entry that is not chained') || ' of the trail of ' || x.trail as "where",
          'a time after ' || x.before as expected, x.at::text as found
        from (
          select t.trail, t.number, time_of_id(t.id) as at, max(time_of_id(t.id)) over (
            partition by t.trail, t.owner order by t.number nulls last, t.id rows between unbounded preceding and 1 preceding) as before
          from (
            select 'staff' as trail, person_id::text as owner, number, id from staff_trail
            union all
            select 'customers', msisdn, number, id from customer_trail
            union all
            select 'installation', '', number, id from installation_trail
          ) t
          left join ${openingTrails} o on o.trail = t.trail
          where t.number is null or t.number >= coalesce(o.number, 0)
        ) x
        where x.at < x.before - ${lateness}
        order by x.trail, x.number limit ${differencesMax}`),
  },
];
