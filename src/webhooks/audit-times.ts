import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** From when on events bear exactly the time of what they tell of: a call that was under way then may have been a little later. */
const exactSince = sql`(
  select applied_at + interval '1 minute' from schema_functions where file = 'webhooks/publish-events.sql')`;
/** What nodes of the release before still drop during an upgrade is told a little later. */
const dropsExactSince = sql`(
  select applied_at + interval '1 day' from schema_functions where file = 'webhooks/publish-events.sql')`;
/** Before that they were up to so much later. */
const secondsApartMax = 60;

/** Each event is dated as the posting that it tells of, and what moves no money as the row that it tells of. */
export const eventTimeChecks: readonly AuditCheck[] = [
  {
    name: "each transfer's end is told after its start, and each at its time",
    count: (tx, { events }) =>
      countOf(
        tx,
        sql`select count(*) as count from ${events} e where topic::text like 'transactions/%'`,
      ),
    find: (tx, { events, outcomes }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || e.subject_id || ' of company ' || e.company_id as "where",
          'its start at ' || time_of_id(e.subject_id) || coalesce(', then its end at ' || o.ended_at, '') as expected,
          'event ' || coalesce(e.start::text, '(none)') || ' at ' || coalesce(e.start_at::text, 'no time')
            || coalesce(', event ' || e.ended || ' at ' || e.end_at, '') as found
        from (
          select company_id, subject_id,
            min(number) filter (where topic = 'transactions/started') as start,
            min(created_at) filter (where topic = 'transactions/started') as start_at,
            min(number) filter (where topic <> 'transactions/started') as ended,
            min(created_at) filter (where topic <> 'transactions/started') as end_at
          from ${events} i where topic::text like 'transactions/%' group by company_id, subject_id
        ) e
        left join ${outcomes} o on o.company_id = e.company_id and o.id = e.subject_id
        where e.ended < e.start
          or abs(extract(epoch from time_of_id(e.subject_id) - e.start_at))
            > case when e.start_at > ${exactSince} then 0 else ${secondsApartMax}::integer end
          or abs(extract(epoch from o.ended_at - e.end_at))
            > case when e.end_at > ${exactSince} then 0 else ${secondsApartMax}::integer end
        limit ${differencesMax}`),
  },
  {
    name: "each event of a charge or of a batch bears the time of its posting, or of its end",
    count: (tx, { events }) =>
      countOf(
        tx,
        sql`select count(*) as count from ${events} e where topic::text in ('charge/events', 'batches/completed')`,
      ),
    // The last event of a charge tells of its last posting, the one before of the one before: what is older was forgotten.
    find: (tx, { events, charges, chargeTransactions, postings, batches }) =>
      tx.query<Difference>(sql`
        select 'event ' || e.number || ' of company ' || e.company_id as "where", e.posted_at::text as expected,
          e.created_at::text as found
        from (
          select i.company_id, i.number, i.created_at, p.created_at as posted_at, ${exactSince} as since
          from (
            select *, row_number() over (partition by company_id, subject_id order by number desc) as back
            from ${events} t where topic = 'charge/events' and strpos(t.payload, '"status":"dropped",') = 0
          ) i
          join (
            select k.company_id, k.charge_id, s.created_at,
              row_number() over (partition by k.company_id, k.charge_id order by s.number desc) as back
            from (
              select company_id, subject_id, max(number) as number, max(created_at) as created_at from ${postings} t
              where event in ('charge.paid', 'charge.refunded') group by company_id, subject_id
            ) s
            join ${chargeTransactions} k on k.company_id = s.company_id and k.id = s.subject_id
          ) p on p.company_id = i.company_id and p.charge_id = i.subject_id and p.back = i.back
          union all
          select i.company_id, i.number, i.created_at, c.updated_at, ${dropsExactSince}
          from ${events} i join ${charges} c on c.company_id = i.company_id and c.id = i.subject_id
          where i.topic = 'charge/events' and c.dropped_reason is not null
          union all
          select i.company_id, i.number, i.created_at, b.updated_at, ${exactSince}
          from ${events} i join ${batches} b on b.company_id = i.company_id and b.id = i.subject_id
          where i.topic::text = 'batches/completed'
        ) e
        where abs(extract(epoch from e.posted_at - e.created_at))
          > case when e.created_at > e.since then 0 else ${secondsApartMax}::integer end
        limit ${differencesMax}`),
  },
];
