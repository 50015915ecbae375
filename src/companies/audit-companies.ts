import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

const ofChanges = sql`action in ('company.created', 'company.changed')`;

/** What a company is called, where it is, and on whose behalf it sends. Nothing of it is other than what was said last. */
export const companyChecks: readonly AuditCheck[] = [
  {
    name: "each company is called what was said last, in the country and time zone that were",
    count: (tx) => countOf(tx, sql`select count(*) as count from companies`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || coalesce(c.company_id, t.company_id) as "where",
          coalesce(t.said, 'an entry of the trail') as expected,
          coalesce(c.said, 'no company') as found
        from (
          select company_id, concat_ws(', ', name, 'country ' || country, 'time zone ' || time_zone) as said
          from companies
        ) c
        full join (
          select company_id, concat_ws(', ',
              (array_agg(changes::jsonb #>> '{name,to}' order by id desc) filter (where changes like '%"name":%'))[1],
              'country ' || (array_agg(changes::jsonb #>> '{country,to}' order by id desc)
                filter (where changes like '%"country":%'))[1],
              'time zone ' || (array_agg(changes::jsonb #>> '{timeZone,to}' order by id desc)
                filter (where changes like '%"timeZone":%'))[1]) as said
          from company_trail where ${ofChanges} group by company_id
        ) t on t.company_id = c.company_id
        where t.said is distinct from c.said
        limit ${differencesMax}`),
  },
  {
    name: "each sub-company is what was said last, and no other is there",
    count: (tx) => countOf(tx, sql`select count(*) as count from sub_companies`),
    // Long texts are cut in the trail.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'sub-company ' || coalesce(s.subject, t.subject) || ' of company ' || coalesce(s.company_id, t.company_id)
            as "where",
          coalesce(concat_ws(', ', t.name, t.logo_url, t.is_active), 'an entry of the trail') as expected,
          coalesce(concat_ws(', ', s.name, s.logo_url, s.is_active), 'nothing') as found
        from (
          select company_id, 'subco_' || replace(id::text, '-', '') as subject, name, logo_url, is_active::text as is_active
          from sub_companies
        ) s
        full join (
          select company_id, subject,
            (array_agg(changes::jsonb #>> '{name,to}' order by id desc) filter (where changes like '%"name":%'))[1] as name,
            (array_agg(changes::jsonb #>> '{logoUrl,to}' order by id desc)
              filter (where changes like '%"logoUrl":%'))[1] as logo_url,
            (array_agg(changes::jsonb #>> '{isActive,to}' order by id desc)
              filter (where changes like '%"isActive":%'))[1] as is_active
          from company_trail
          where action in ('sub_company.created', 'sub_company.changed') group by company_id, subject
        ) t on t.company_id = s.company_id and t.subject = s.subject
        where t.name is distinct from s.name or t.is_active is distinct from s.is_active
          or (t.logo_url is distinct from s.logo_url
            and not coalesce(right(t.logo_url, 1) = '…' and starts_with(s.logo_url, left(t.logo_url, -1)), false))
        limit ${differencesMax}`),
  },
  {
    name: "each Idempotency-Key leads to something that was made",
    count: (tx) =>
      countOf(
        tx,
        sql`select (select count(*) from idempotency_keys) + (select count(*) from former_idempotency_keys) as count`,
      ),
    // What was made under a key since a checkpoint came with it.
    find: (tx, { transfers, batches, charges, newChargeTransactions, opening }) =>
      tx.query<Difference>(sql`
        select 'key ' || k.key || ' of company ' || k.company_id as "where", 'something that was made' as expected,
          'nothing with the id ' || k.made_id as found
        from (
          select company_id, key, made_id, created_at from idempotency_keys
          union all
          select company_id, key, made_id, created_at from former_idempotency_keys
        ) k
        left join (
          select company_id, id from ${transfers} t
          union all
          select company_id, id from ${batches} b
          union all
          select company_id, id from ${charges} c
          union all
          select company_id, id from ${newChargeTransactions} r
          union all
          select company_id, id from sub_companies
          union all
          -- A webhook is deleted, what was answered is not.
          select company_id, subject::uuid from company_trail where action = 'webhook.created'
        ) m on m.company_id = k.company_id and m.id = k.made_id
        left join ${opening} o on o.company_id = k.company_id
        where m.id is null and k.created_at > coalesce(o.taken_at, '-infinity')
        limit ${differencesMax}`),
  },
];
