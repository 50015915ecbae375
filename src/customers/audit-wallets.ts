import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

export const walletChecks: readonly AuditCheck[] = [
  {
    name: "each wallet is the sum of its entries",
    of: "people",
    needsEverything: true,
    count: (tx) => countOf(tx, sql`select count(*) as count from wallets`),
    // Phone numbers are masked: an audit is read by people and kept in logs.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'wallet ' || repeat('*', length(w.msisdn) - 2) || right(w.msisdn, 2) as "where",
          coalesce(e.balance, 0)::text as expected, w.balance::text as found
        from wallets w
        left join (select msisdn, sum(amount) as balance from wallet_entries group by msisdn) e
          on e.msisdn = w.msisdn
        where w.balance <> coalesce(e.balance, 0)
        limit ${differencesMax}`),
  },
  {
    name: "what each company paid out is what wallets got from it",
    count: (tx, { walletEntries }) =>
      countOf(tx, sql`select count(*) as count from ${walletEntries} e`),
    find: (tx, { walletEntries, opening }) =>
      tx.query<Difference>(sql`
        select 'company ' || company_id as "where", sum(paid_out)::text as expected, sum(received)::text as found
        from (
          select b.company_id, b.paid_out - coalesce(o.paid_out, 0) as paid_out, 0 as received
          from books b left join ${opening} o on o.company_id = b.company_id
          union all
          select e.company_id, 0, sum(e.amount) from ${walletEntries} e group by e.company_id
        ) t
        group by company_id having sum(paid_out) <> sum(received)
        limit ${differencesMax}`),
  },
  {
    name: "each entry has a wallet, and adds or takes what its event says",
    of: "people",
    count: (tx, { walletEntries }) =>
      countOf(tx, sql`select count(*) as count from ${walletEntries} e`),
    find: (tx, { walletEntries }) =>
      tx.query<Difference>(sql`
        select 'entry ' || e.subject_id as "where",
          case when w.msisdn is null then 'a wallet'
            else 'more by a transfer or a refund, less by a payment' end as expected,
          case when w.msisdn is null then 'none' else e.event || ' of ' || e.amount end as found
        from ${walletEntries} e
        left join wallets w on w.msisdn = e.msisdn
        where w.msisdn is null
          or (e.event in ('transfer.completed', 'charge.refunded') and e.amount < 0)
          or (e.event = 'charge.paid' and e.amount > 0)
          or e.event not in ('transfer.completed', 'charge.refunded', 'charge.paid')
        limit ${differencesMax}`),
  },
  {
    name: "no person's wallet is overdrawn, and each wallet is a person's or holds test money",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from wallets`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'wallet ' || repeat('*', length(w.msisdn) - 2) || right(w.msisdn, 2) as "where",
          case when c.msisdn is null then 'a person' else '0 or more' end as expected,
          case when c.msisdn is null then 'nobody' else w.balance::text end as found
        from wallets w
        left join customers c on c.msisdn = w.msisdn
        where (c.msisdn is null and not w.may_overdraw) or (c.msisdn is not null and w.balance < 0)
        limit ${differencesMax}`),
  },
];
