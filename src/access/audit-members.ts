import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** Who may do what at the console. Nobody has a role that the trail did not give. */
export const memberChecks: readonly AuditCheck[] = [
  {
    name: "each person works for the companies and in the roles that the trail says",
    count: (tx) => countOf(tx, sql`select count(*) as count from memberships`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select coalesce(m.email, t.email) || ' in company ' || coalesce(m.company_id, t.company_id) as "where",
          coalesce(t.role, 'no member') as expected, coalesce(m.role, 'no member') as found
        from (
          select c.company_id, p.email, m.role::text as role
          from memberships m
          join companies c on c.company_id = m.company_id
          join people p on p.person_id = m.person_id
        ) m
        full join (
          select distinct on (company_id, subject) company_id, subject as email,
            case when action = 'member.removed' then null else changes::jsonb #>> '{role,to}' end as role
          from company_trail
          -- An entry that gives a member the same role again has no change.
          where action = 'member.removed' or (action in ('member.joined', 'member.role_changed') and changes is not null)
          order by company_id, subject, id desc
        ) t on t.company_id = m.company_id and t.email = m.email
        where t.role is distinct from m.role
        limit ${differencesMax}`),
  },
  {
    name: "each operator became one by a link",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from people where is_operator`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select p.email as "where", case when coalesce(t.is_operator, false) then 'an operator' else 'no operator' end as expected,
          case when p.is_operator then 'an operator' else 'no operator' end as found
        from people p
        left join (
          select distinct on (person_id) person_id, action = 'person.joined' as is_operator from staff_trail
          where action = 'person.removed' or (action = 'person.joined' and changes::jsonb #>> '{link,to}' = 'operate')
          order by person_id, id desc
        ) t on t.person_id = p.person_id
        where p.is_operator <> coalesce(t.is_operator, false)
        limit ${differencesMax}`),
  },
  {
    name: "each person has the second factor that the trail says",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from people`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select p.email as "where", case when coalesce(t.is_set, false) then 'a code' else 'none' end as expected,
          case when p.totp_sealed is null then 'none' else 'a code' end as found
        from people p
        left join (
          select distinct on (person_id) person_id, action = 'person.second_factor_set' as is_set from staff_trail
          where action in ('person.second_factor_set', 'person.reset') order by person_id, id desc
        ) t on t.person_id = p.person_id
        where (p.totp_sealed is not null) <> coalesce(t.is_set, false)
        limit ${differencesMax}`),
  },
  {
    name: "each member was let in by those whom the trail names",
    count: (tx) => countOf(tx, sql`select count(*) as count from memberships`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select p.email || ' in company ' || c.company_id as "where", coalesce(t.introducers, 'the operator') as expected,
          coalesce(nullif(array_to_string(m.introduced_by, ' '), ''), 'the operator') as found
        from memberships m
        join companies c on c.company_id = m.company_id
        join people p on p.person_id = m.person_id
        left join (
          select e.company_id, e.subject as email, string_agg(distinct x.id, ' ' order by x.id) as introducers
          from company_trail e
          left join (
            select company_id, subject, max(id::text)::uuid as id from company_trail where action = 'member.joined'
            group by company_id, subject
          ) j on j.company_id = e.company_id and j.subject = e.subject
          cross join lateral string_to_table(e.changes::jsonb #>> '{introducers,to}', ' ') as x(id)
          where e.action in ('member.joined', 'member.role_changed') and e.changes like '%"introducers"%' and e.id >= j.id
          group by e.company_id, e.subject
        ) t on t.company_id = m.company_id and t.email = p.email
        where coalesce(t.introducers, '') <> (
          select coalesce(string_agg(distinct i::text, ' ' order by i::text), '') from unnest(m.introduced_by) as i)
        limit ${differencesMax}`),
  },
];
