import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { keptDays } from "./forget-deliveries.ts";

/** What is older may have been deleted. A day less, so that what is being deleted just now is not missed. */
const surelyKeptDays = keptDays - 1;

/**
 * Events are what the companies were told, and a second witness of the books: a transfer that was erased with all its
 * postings has left its events behind.
 */
export const eventChecks: readonly AuditCheck[] = [
  {
    name: "events are numbered without gaps",
    count: (tx, { events }) => countOf(tx, sql`select count(*) as count from ${events} e`),
    find: (tx, { events, opening }) =>
      tx.query<Difference>(sql`
        select 'company ' || s.company_id as "where", 'event ' || s.number - 1 as expected, 'missing' as found
        from (
          select company_id, number, created_at, lag(number) over by_number as before,
            lag(created_at) over by_number as before_at
          from (
            select company_id, number, created_at from ${events} e
            union all
            select company_id, last_event + 1, now() from books
            union all
            select c.company_id, coalesce(o.event, 0), coalesce(o.taken_at, c.created_at)
            from companies c left join ${opening} o on o.company_id = c.company_id
          ) e
          window by_number as (partition by company_id order by number)
        ) s
        where s.number <> s.before + 1 and s.before_at > now() - make_interval(days => ${surelyKeptDays})
        limit ${differencesMax}`),
  },
  {
    name: "each transfer's start and end is an event, once, and no other is",
    count: (tx, { events }) =>
      countOf(
        tx,
        sql`select count(*) as count from ${events} e where topic::text like 'transactions/%'`,
      ),
    // What was pending at a checkpoint was told of before it.
    find: (tx, { transfers, outcomes, openBefore, events }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || coalesce(h.id, e.subject_id) as "where",
          coalesce(h.topic::text, 'nothing of ' || e.topic) as expected,
          case when e.count is null then 'no event' else e.count || ' events' end as found
        from (
          select t.company_id, t.id, 'transactions/started'::topic as topic, time_of_id(t.id) as at
          from ${transfers} t left join ${openBefore} b on b.company_id = t.company_id and b.id = t.id
          where b.id is null
          union all
          select company_id, id,
            case when status = 'completed' then 'transactions/completed' else 'transactions/failed' end::topic, ended_at
          from ${outcomes} o
        ) h
        full join (
          select company_id, subject_id, topic, count(*) as count from ${events} e
          where topic::text like 'transactions/%' group by company_id, subject_id, topic
        ) e on e.company_id = h.company_id and e.subject_id = h.id and e.topic = h.topic
        where h.id is null or e.count > 1
          or (e.count is null and h.at > now() - make_interval(days => ${surelyKeptDays}))
        limit ${differencesMax}`),
  },
  {
    name: "each batch that ended is told once, with what it came to",
    count: (tx, { batches }) =>
      countOf(tx, sql`select count(*) as count from ${batches} b where status <> 'processing'`),
    // Batches that ended before there was anything to tell them with are not told.
    find: (tx, { batches, events }) =>
      tx.query<Difference>(sql`
        select 'event ' || coalesce(e.number::text, '(none)') || ' of company ' || coalesce(b.company_id, e.company_id)
            || ', of batch ' || coalesce(b.id, e.subject_id) as "where",
          coalesce(b.told, 'nothing to tell') as expected,
          coalesce(e.count || ' events: ' || left(e.payload, 400), 'no event') as found
        from (select i.*, told_of_batch(row(i.*)::public.batches) as told from ${batches} i where i.status <> 'processing') b
        full join (
          select company_id, subject_id, min(number) as number, count(*) as count, max(payload) as payload from ${events} e
          where topic::text = 'batches/completed' group by company_id, subject_id
        ) e on e.company_id = b.company_id and e.subject_id = b.id
        where b.id is null or e.count > 1 or e.payload <> b.told
          or (e.count is null and b.updated_at > greatest(now() - make_interval(days => ${surelyKeptDays}),
            (select applied_at from schema_functions where file = 'transfers/tell-batches.sql')))
        limit ${differencesMax}`),
  },
  {
    name: "each event of a charge tells of that charge, and the last one what it is now",
    count: (tx, { events }) =>
      countOf(tx, sql`select count(*) as count from ${events} e where topic = 'charge/events'`),
    // The payloads are ours, so they always look the same: the charge's id first, each amount once.
    find: (tx, { events, charges }) =>
      tx.query<Difference>(sql`
        select 'event ' || e.number || ' of company ' || e.company_id as "where",
          coalesce('charge ' || c.id || ', ' || c.status || ', paid ' || c.paid || ', refunded ' || c.refunded, 'no charge')
            as expected,
          left(e.payload, 300) as found
        from (
          select *, row_number() over (partition by company_id, subject_id order by number desc) = 1 as is_last
          from ${events} e where topic = 'charge/events'
        ) e
        left join ${charges} c on c.company_id = e.company_id and c.id = e.subject_id
        where c.id is null
          or strpos(e.payload, '{"data":{"id":"' || c.id || '","externalId":' || to_json(coalesce(c.external_id_given, c.external_id))) <> 1
          or e.payload not like '%,"topic":"charge/events"}'
          or strpos(e.payload, '"amount":' || c.amount || ',') = 0
          or (e.is_last and (strpos(e.payload, '"status":"' || c.status || '","droppedReason":'
              || coalesce('"' || c.dropped_reason || '"', 'null') || ',') = 0
            or strpos(e.payload, '"paid":' || c.paid || ',"refunded":' || c.refunded || ',') = 0))
        limit ${differencesMax}`),
  },
  {
    name: "each charge that was paid or dropped is told",
    count: (tx, { charges }) =>
      countOf(tx, sql`select count(*) as count from ${charges} c where status <> 'due'`),
    find: (tx, { charges, events }) =>
      tx.query<Difference>(sql`
        select 'charge ' || c.id as "where", c.status || ', told' as expected, 'no event' as found
        from ${charges} c
        left join (
          select distinct company_id, subject_id from ${events} e where topic = 'charge/events'
        ) e on e.company_id = c.company_id and e.subject_id = c.id
        where c.status <> 'due' and e.subject_id is null
          and c.updated_at > now() - make_interval(days => ${surelyKeptDays})
        limit ${differencesMax}`),
  },
];
