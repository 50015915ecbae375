import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** What only the operator may do has left its entry in the trail. What stands in the books without one was not done by us. */
export const trailChecks: readonly AuditCheck[] = [
  {
    name: "each company was funded with what the trail says",
    count: (tx) => countOf(tx, sql`select count(*) as count from fundings`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'funding of company ' || coalesce(f.company_id, t.company_id) as "where",
          coalesce(t.times || ' of ' || t.said, 'an entry of the trail') as expected,
          coalesce(f.times || ' of ' || f.said, 'nothing') as found
        from (
          select company_id, concat_ws(' ', amount, left(reference, 250), memo) as said, count(*) as times
          from fundings group by company_id, said
        ) f
        full join (
          select company_id, concat_ws(' ', coalesce(changes::jsonb #>> '{amount,to}', changes::jsonb #>> '{funded,to}'),
            left(changes::jsonb #>> '{reference,to}', 250), changes::jsonb #>> '{memo,to}') as said, count(*) as times
          from company_trail
          where action = 'company.funded' or (action = 'company.created' and changes::jsonb #>> '{funded,to}' <> '0')
          group by company_id, said
        ) t on t.company_id = f.company_id and t.said = f.said
        where f.times is distinct from t.times
        limit ${differencesMax}`),
  },
  {
    name: "each withdrawal and adjustment is in the trail, and no other is",
    count: (tx) =>
      countOf(
        tx,
        sql`select (select count(*) from withdrawals) + (select count(*) from adjustments) as count`,
      ),
    find: (tx) =>
      tx.query<Difference>(sql`
        select coalesce(t.subject, m.subject) || ' of company ' || coalesce(t.company_id, m.company_id) as "where",
          coalesce(t.said, 'an entry of the trail') as expected, coalesce(m.said, 'nothing') as found
        from (
          select company_id, 'wdr_' || replace(id::text, '-', '') as subject,
            concat_ws(' ', amount, 'available', 'external', reference, memo) as said
          from withdrawals
          union all
          select company_id, 'adj_' || replace(id::text, '-', ''),
            concat_ws(' ', amount, from_account, to_account, reference, reason)
          from adjustments
        ) m
        full join (
          select company_id, subject, concat_ws(' ', changes::jsonb #>> '{amount,to}',
            coalesce(changes::jsonb #>> '{fromAccount,to}', 'available'),
            coalesce(changes::jsonb #>> '{toAccount,to}', 'external'), changes::jsonb #>> '{reference,to}',
            coalesce(changes::jsonb #>> '{memo,to}', changes::jsonb #>> '{reason,to}')) as said
          from company_trail where action in ('company.withdrawn', 'company.adjusted')
        ) t on t.company_id = m.company_id and t.subject = m.subject
        where t.said is distinct from m.said
        limit ${differencesMax}`),
  },
  {
    name: "each ledger key came with an entry of the trail, and no other did",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from ledger_keys`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'ledger key ' || coalesce(k.id, t.subject) as "where",
          case when t.subject is null then 'an entry of the trail' else 'the key' end as expected, 'nothing' as found
        from ledger_keys k
        full join (
          select distinct subject from installation_trail where action in ('ledger_key.created', 'ledger_key.bound')
        ) t on t.subject = k.id
        where k.id is null or t.subject is null
        limit ${differencesMax}`),
  },
  {
    name: "each company and each wallet is frozen as it was said to be",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx) =>
      tx.query<Difference>(sql`
        (select 'company ' || b.company_id as "where",
          case when b.is_frozen then 'open' else 'frozen' end as expected,
          case when b.is_frozen then 'frozen' else 'open' end as found
        from books b
        left join (
          select distinct on (company_id) company_id, action = 'company.frozen' as is_frozen from company_trail
          where action in ('company.frozen', 'company.unfrozen') order by company_id, id desc
        ) t on t.company_id = b.company_id
        where b.is_frozen <> coalesce(t.is_frozen, false)
        limit ${differencesMax})
        union all
        (select 'wallet ' || repeat('*', length(w.msisdn) - 2) || right(w.msisdn, 2),
          case when w.is_frozen then 'open' else 'frozen' end, case when w.is_frozen then 'frozen' else 'open' end
        from wallets w
        left join customers c on c.msisdn = w.msisdn
        where w.is_frozen <> coalesce(c.is_frozen or c.kyc_status = 'rejected', false)
        limit ${differencesMax})`),
  },
];
