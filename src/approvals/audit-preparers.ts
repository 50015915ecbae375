import { sql } from "../database/sql.ts";
import { firstUuidAt } from "../kernel/ids.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { companyRoles, roleMay } from "../staff/roles.ts";

/** Longer than what is compared, so that transfers are found by their ids. */
const windowMs = 26 * 3_600_000;
const decidingRoles = companyRoles.filter((role) => roleMay(role, "approvals.decide"));

/** Whoever decides about a payment may, and is none of those who have prepared it: both follow from the trail. */
export const preparerChecks: readonly AuditCheck[] = [
  {
    name: "whoever decided about payments had a role at that moment that may",
    count: (tx) =>
      countOf(
        tx,
        sql`select (select count(*) from approvals) + (select count(*) from held_decisions) as count`,
      ),
    find: (tx) =>
      tx.query<Difference>(sql`
        select t.subject || ' of company ' || t.company_id as "where", 'an owner or an approver' as expected,
          coalesce(t.email || ', ' || coalesce(t.role, 'no member'), 'nobody with the id ' || t.person_id) as found
        from (
          select distinct on (d.company_id, d.id) d.company_id, d.subject, d.person_id, p.email, m.role
          from company_trail d
          left join people p on p.person_id = d.person_id
          left join (
            select company_id, id, subject,
              case when action = 'member.removed' then null else changes::jsonb #>> '{role,to}' end as role
            from company_trail
            where action = 'member.removed' or (action in ('member.joined', 'member.role_changed') and changes is not null)
          ) m on m.company_id = d.company_id and m.subject = p.email and m.id < d.id
          where d.action in ('proposal.approved', 'proposal.refused', 'held.approved', 'held.refused')
          order by d.company_id, d.id, m.id desc nulls last
        ) t
        where t.role is null or t.role <> all (${decidingRoles}::text[])
        limit ${differencesMax}`),
  },
  {
    name: "each draft that was handed in has the preparers of its payment",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from payroll_drafts where proposal_id is not null`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'draft ' || d.id || ' of company ' || d.company_id as "where", p.hands::text as expected,
          d.hands::text as found
        from payroll_drafts d
        join proposals p on p.company_id = d.company_id and p.id = d.proposal_id
        where not p.hands @> d.hands or not d.hands @> p.hands or not d.made_by = any (p.hands)
          or p.file_hash is distinct from d.file_hash
        limit ${differencesMax}`),
  },
  {
    name: "each draft names those who have prepared it, and no others",
    count: (tx) => countOf(tx, sql`select count(*) as count from payroll_drafts`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'draft ' || d.id || ' of company ' || d.company_id as "where", coalesce(t.people, 'nobody') as expected,
          d.people as found
        from (
          select company_id, id, made_by, (select string_agg(x::text, ' ' order by x::text) from unnest(hands) as x) as people
          from payroll_drafts
        ) d
        left join (
          select company_id, subject, string_agg(distinct person_id::text, ' ' order by person_id::text) as people,
            (array_agg(person_id order by id))[1] as first
          from company_trail where action = 'payroll.prepared' group by company_id, subject
        ) t on t.company_id = d.company_id and t.subject = 'draft_' || replace(d.id::text, '-', '')
        where t.people is distinct from d.people or t.first <> d.made_by
        limit ${differencesMax}`),
  },
  {
    name: "each payment that people asked for stands where its decision puts it",
    count: (tx) => countOf(tx, sql`select count(*) as count from proposal_states`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'proposal ' || coalesce(s.proposal_id, p.id) || ' of company ' || coalesce(s.company_id, p.company_id) as "where",
          coalesce(a.verdict::text, 'no decision') || ', ' || coalesce(p.row_count, 0) || ' rows' as expected,
          coalesce(s.state || ', ' || coalesce(s.verdict::text, 'no decision') || ', ' || s.row_count || ' rows', 'nothing')
            as found
        from proposals p
        full join proposal_states s on s.company_id = p.company_id and s.proposal_id = p.id
        left join approvals a on a.company_id = p.company_id and a.proposal_id = p.id
        where p.id is null or s.proposal_id is null or s.verdict is distinct from a.verdict
          or a.hands <> p.hands or a.content_hash <> p.content_hash
          or s.needs_approval <> p.needs_approval or s.row_count <> p.row_count
          or (s.needs_approval and s.verdict is null and s.state not in ('waiting', 'withdrawn', 'lapsed'))
          or ((s.state = 'refused') <> (s.verdict is not distinct from 'refused'))
        limit ${differencesMax}`),
  },
  {
    name: "what keys paid out alone is what was counted, hour by hour",
    count: (tx) => countOf(tx, sql`select count(*) as count from keys_alone_hours`),
    // Of the hours that still count and in which one rule held, an hour more for a clock that was set back meanwhile. What is neither held nor of people's making went by a key.
    find: (tx) =>
      tx.query<Difference>(sql`
        with rules as (
          select b.company_id, date_trunc('hour', max(time_of_id(t.id)), 'UTC') + interval '2 hours' as since
          from books b
          join company_trail t on t.company_id = b.company_id and t.action = 'company.changed'
            and t.changes like '%"keysAloneMax"%'
          where b.keys_alone_max is not null group by b.company_id
        )
        select 'hour ' || coalesce(h.hour, s.hour) || ' of company ' || coalesce(h.company_id, s.company_id) as "where",
          coalesce(s.francs, 0)::text as expected, coalesce(h.francs, 0)::text as found
        from (
          select k.company_id, k.hour, k.francs from keys_alone_hours k
          join rules r on r.company_id = k.company_id and k.hour >= r.since
          where k.hour > now() - interval '24 hours'
        ) h
        full join (
          select t.company_id, date_trunc('hour', time_of_id(t.id), 'UTC') as hour, sum(t.amount + t.fee) as francs
          from transfers t
          join rules r on r.company_id = t.company_id and time_of_id(t.id) >= r.since
          left join held_transfers q on q.company_id = t.company_id and q.id = t.id
          left join proposal_parts p on p.company_id = t.company_id and p.made_id = coalesce(t.batch_id, t.id)
          where t.id > ${firstUuidAt(Date.now() - windowMs)}
            and date_trunc('hour', time_of_id(t.id), 'UTC') > now() - interval '24 hours' and q.id is null
            and p.made_id is null
          group by t.company_id, 2
        ) s on s.company_id = h.company_id and s.hour = h.hour
        where h.francs is distinct from s.francs
        limit ${differencesMax}`),
  },
];
