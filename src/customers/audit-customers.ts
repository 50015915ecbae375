import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** The customer book is as the operator's entries left it: who somebody is, how far identified, what the wallet may hold. */
export const customerChecks: readonly AuditCheck[] = [
  {
    name: "each customer is what was said last: names, identification, ceiling, frozen or not",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from customers`),
    // A name longer than the trail keeps is compared as far as it goes.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'customer ' || repeat('*', length(coalesce(c.msisdn, t.msisdn)) - 2) || right(coalesce(c.msisdn, t.msisdn), 2)
            as "where",
          coalesce(concat_ws(', ', t.kyc_status, t.balance_max, t.is_frozen), 'an entry of the trail') as expected,
          coalesce(concat_ws(', ', c.kyc_status, c.balance_max, c.is_frozen), 'nobody')
            || case when t.first_name <> left(c.first_name, length(t.first_name)) or t.last_name <> left(c.last_name, length(t.last_name))
              then ', with another name' else '' end as found
        from customers c
        full join (
          select msisdn,
            rtrim((array_agg(changes::jsonb #>> '{firstName,to}' order by id desc)
              filter (where changes like '%"firstName":%'))[1], '…') as first_name,
            rtrim((array_agg(changes::jsonb #>> '{lastName,to}' order by id desc)
              filter (where changes like '%"lastName":%'))[1], '…') as last_name,
            (array_agg(changes::jsonb #>> '{kycStatus,to}' order by id desc)
              filter (where changes like '%"kycStatus":%'))[1] as kyc_status,
            (array_agg(changes::jsonb #>> '{balanceMax,to}' order by id desc)
              filter (where changes like '%"balanceMax":%'))[1] as balance_max,
            (array_agg(changes::jsonb #>> '{isFrozen,to}' order by id desc)
              filter (where changes like '%"isFrozen":%'))[1] as is_frozen
          from customer_trail group by msisdn
        ) t on t.msisdn = c.msisdn
        where (t.kyc_status, t.balance_max, t.is_frozen)
            is distinct from (c.kyc_status::text, c.balance_max::text, c.is_frozen::text)
          or t.first_name is distinct from left(c.first_name, length(t.first_name))
          or t.last_name is distinct from left(c.last_name, length(t.last_name))
          or (length(t.first_name) < 300 and length(c.first_name) > length(t.first_name))
          or (length(t.last_name) < 300 and length(c.last_name) > length(t.last_name))
        limit ${differencesMax}`),
  },
  {
    name: "wallets are overdrawn with test money alone",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from wallets where may_overdraw`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'wallet ' || repeat('*', length(w.msisdn) - 2) || right(w.msisdn, 2) as "where", '0 or more' as expected,
          'may be overdrawn, in production' as found
        from wallets w where w.may_overdraw and exists (select 1 from installation where environment = 'production')
        limit ${differencesMax}`),
  },
];
