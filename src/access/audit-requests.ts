import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** How people come to a role: what was asked for, who confirmed it, and the links by which somebody gets in. */
export const requestChecks: readonly AuditCheck[] = [
  {
    name: "each request that takes a second power is what the trail says: for whom, what, by whom and how decided",
    count: (tx) =>
      countOf(
        tx,
        sql`select count(*) as count from access_requests r join companies c on c.company_id = r.company_id`,
      ),
    // Requests that nobody decided in time end without an entry.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'request ' || coalesce(r.subject, t.subject) || ' of company ' || coalesce(r.company_id, t.company_id) as "where",
          coalesce(t.said || ', ' || coalesce(d.said, 'open'), 'an entry of the trail') as expected,
          coalesce(r.said || ', ' || r.decided, 'nothing') as found
        from (
          select q.company_id, 'req_' || replace(q.id::text, '-', '') as subject, q.state,
            concat_ws(' ', q.kind, p.email, q.to_role, q.to_amount) as said, q.expires_at <= now() as is_over,
            q.requested_by, q.kind, p.email,
            array_to_string(q.introducers, ' ') as introducers,
            case when q.state in ('open', 'expired') then 'open'
              when q.state = 'withdrawn' then concat_ws(' ', q.state, left(q.reason, 150))
              else concat_ws(' ', q.state, 'by', coalesce(q.decided_by::text, q.decided_operator), left(q.reason, 150)) end as decided
          from access_requests q
          join companies c on c.company_id = q.company_id
          left join people p on p.person_id = q.person_id
        ) r
        full join (
          select company_id, subject, person_id, concat_ws(' ', changes::jsonb #>> '{kind,to}', changes::jsonb #>> '{person,to}',
            changes::jsonb #>> '{role,to}', changes::jsonb #>> '{aloneMax,to}', changes::jsonb #>> '{keysAloneMax,to}') as said
          from company_trail where action = 'access.requested'
        ) t on t.company_id = r.company_id and t.subject = r.subject
        left join (
          select distinct on (company_id, subject) company_id, subject,
            changes::jsonb #>> '{introducers,to}' as introducers,
            case when action = 'access.withdrawn' then concat_ws(' ', 'withdrawn', left(changes::jsonb #>> '{reason,to}', 150))
              else concat_ws(' ', replace(action, 'access.', ''), 'by', coalesce(person_id::text, operator),
                left(changes::jsonb #>> '{reason,to}', 150)) end as said
          from company_trail where action in ('access.confirmed', 'access.refused', 'access.withdrawn')
          order by company_id, subject, id desc
        ) d on d.company_id = t.company_id and d.subject = t.subject
        -- Whoever accepts an invitation asks in the name of the owner who made it.
        left join (
          select distinct company_id, subject as email, person_id from company_trail where action = 'member.invited'
        ) i on i.company_id = r.company_id and i.email = r.email and i.person_id = r.requested_by
        where t.said is distinct from r.said or coalesce(d.said, 'open') <> r.decided or (r.state = 'expired' and not r.is_over)
          or coalesce(d.introducers, '') <> r.introducers
          or (case when r.kind = 'membership' then i.person_id else t.person_id end) is distinct from r.requested_by
        limit ${differencesMax}`),
  },
  {
    name: "each link into a company is one that somebody made, to that address and for that role",
    count: (tx) =>
      countOf(
        tx,
        sql`select count(*) as count from staff_links l join companies c on c.company_id = l.company_id`,
      ),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'link ' || l.link_id || ' to ' || l.email || ' into company ' || l.company_id as "where",
          'an entry of the trail that names it' as expected, l.role || ', by ' || l.invited_by as found
        from staff_links l
        join companies c on c.company_id = l.company_id
        left join (
          select company_id, subject as email, coalesce(person_id::text, operator) as invited_by,
            changes::jsonb #>> '{role,to}' as role, changes::jsonb #>> '{linkHash,to}' as hash
          from company_trail where action = 'member.invited'
        ) t on t.company_id = l.company_id and t.email = l.email and t.role = l.role::text and t.invited_by = l.invited_by
          and t.hash = encode(l.token_hash, 'hex')
        where l.used_at is null and l.expires_at > now() and t.email is null
        limit ${differencesMax}`),
  },
  {
    name: "each link to become an operator or to sign in anew is one that the operator made",
    of: "people",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from staff_links where company_id is null`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'link ' || l.link_id || ' to ' || l.email || ' to ' || l.purpose as "where",
          'an entry of the trail that names it' as expected, 'none' as found
        from staff_links l
        left join (
          select subject as email, 'operate' as purpose, changes::jsonb #>> '{linkHash,to}' as hash from installation_trail
          where action = 'operator.invited'
          union all
          select p.email, 'reset', s.changes::jsonb #>> '{linkHash,to}' from staff_trail s
          join people p on p.person_id = s.person_id where s.action = 'person.reset'
        ) t on t.email = l.email and t.purpose = l.purpose and t.hash = encode(l.token_hash, 'hex')
        where l.company_id is null and l.used_at is null and l.expires_at > now() and t.email is null
        limit ${differencesMax}`),
  },
];
