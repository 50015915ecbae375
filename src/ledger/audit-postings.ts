import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "./audit.ts";
import { adjustableAccounts } from "./funding.ts";

/** A posting bears the time of what it was posted for. A clock that was set back accounts for this much. */
const minutesApartMax = 1;

/** Every movement there is. Money that moved in any other way was not moved by us. */
const movements = [
  ["company.funded", "external", "available"],
  ["transfer.reserved", "available", "in_flight"],
  ["transfer.completed", "in_flight", "paid_out"],
  ["transfer.completed", "in_flight", "fees"],
  ["transfer.released", "in_flight", "available"],
  ["charge.paid", "paid_out", "available"],
  ["charge.paid", "paid_out", "fees"],
  ["charge.refunded", "available", "paid_out"],
  ["charge.refunded", "fees", "paid_out"],
  ["company.withdrawn", "available", "external"],
  ...adjustableAccounts.flatMap((from) =>
    adjustableAccounts.filter((to) => to !== from).map((to) => ["company.adjusted", from, to]),
  ),
].map((movement) => movement.join(" "));

export const ledgerChecks: readonly AuditCheck[] = [
  {
    name: "each company's balances sum to zero",
    count: (tx) => countOf(tx, sql`select count(*) as count from companies`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || company_id as "where", '0' as expected,
          (available + in_flight + fees + external + paid_out)::text as found
        from books where available + in_flight + fees + external + paid_out <> 0 limit ${differencesMax}`),
  },
  {
    name: "each balance is the sum of its postings",
    count: (tx, { postings }) => countOf(tx, sql`select count(*) as count from ${postings} p`),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'account ' || a.kind || ' of company ' || a.company_id as "where",
          (coalesce(o.balance, 0) + coalesce(s.balance, 0))::text as expected, a.balance::text as found
        from (
          select b.company_id, v.kind, v.balance from books b
          cross join lateral (values ('available'::account, b.available), ('in_flight', b.in_flight), ('fees', b.fees),
            ('external', b.external), ('paid_out', b.paid_out)) v(kind, balance)
        ) a
        left join (
          select o.company_id, v.kind, v.balance from ${opening} o
          cross join lateral (values ('available'::account, o.available), ('in_flight', o.in_flight), ('fees', o.fees),
            ('external', o.external), ('paid_out', o.paid_out)) v(kind, balance)
        ) o on o.company_id = a.company_id and o.kind = a.kind
        left join (
          select p.company_id, v.account, sum(v.delta) as balance
          from ${postings} p
          cross join lateral (values (p.credit_account, p.amount), (p.debit_account, -p.amount)) v(account, delta)
          group by p.company_id, v.account
        ) s on s.company_id = a.company_id and s.account = a.kind
        where a.balance <> coalesce(o.balance, 0) + coalesce(s.balance, 0)
        limit ${differencesMax}`),
  },
  {
    name: "postings are numbered without gaps",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'company ' || c.company_id as "where", c.last_posting - coalesce(o.posting, 0) || ' postings, numbered '
            || coalesce(o.posting, 0) + 1 || ' to ' || c.last_posting as expected,
          coalesce(p.count, 0) || ' postings, numbered ' || coalesce(p.first, 0) || ' to ' || coalesce(p.last, 0) as found
        from books c
        left join ${opening} o on o.company_id = c.company_id
        left join (
          select company_id, count(*) as count, min(number) as first, max(number) as last from ${postings} p group by company_id
        ) p on p.company_id = c.company_id
        where c.last_posting - coalesce(o.posting, 0) <> coalesce(p.count, 0)
          or c.last_posting <> coalesce(p.last, o.posting, 0) or p.first <> coalesce(o.posting, 0) + 1
        limit ${differencesMax}`),
  },
  {
    name: "a statement's balances follow from one another",
    count: (tx, { postings }) =>
      countOf(
        tx,
        sql`select count(*) as count from ${postings} p where available_after is not null`,
      ),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'posting ' || s.number || ' of company ' || s.company_id as "where",
          s.expected::text as expected, s.available_after::text as found
        from (
          select p.company_id, p.number, p.available_after,
            coalesce(lag(p.available_after) over (partition by p.company_id order by p.number), o.available, 0)
              + case when p.credit_account = 'available' then p.amount else -p.amount end as expected
          from ${postings} p
          left join ${opening} o on o.company_id = p.company_id
          where p.available_after is not null
        ) s
        where s.available_after <> s.expected
        limit ${differencesMax}`),
  },
  {
    name: "a statement ends at the balance",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where", b.available::text as expected,
          coalesce(p.available_after, o.available, 0)::text as found
        from books b
        left join ${opening} o on o.company_id = b.company_id
        left join (
          select distinct on (company_id) company_id, available_after from ${postings} p
          where available_after is not null order by company_id, number desc
        ) p on p.company_id = b.company_id
        where b.available <> coalesce(p.available_after, o.available, 0)
        limit ${differencesMax}`),
  },
  {
    name: "money moves only in the ways there are, and a statement shows all that moved what is available",
    count: (tx, { postings }) => countOf(tx, sql`select count(*) as count from ${postings} p`),
    find: (tx, { postings }) =>
      tx.query<Difference>(sql`
        select 'posting ' || number || ' of company ' || company_id as "where", 'a movement there is' as expected,
          event || ' from ' || debit_account || ' to ' || credit_account
            || case when available_after is null then '' else ' with a balance' end as found
        from ${postings} p
        where event || ' ' || debit_account || ' ' || credit_account <> all (${movements}::text[])
          or (available_after is not null) <> ('available' in (debit_account, credit_account))
        limit ${differencesMax}`),
  },
  {
    name: "postings are dated in the order of their numbers",
    count: (tx, { postings }) => countOf(tx, sql`select count(*) as count from ${postings} p`),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'posting ' || s.number || ' of company ' || s.company_id as "where",
          'not before ' || s.latest || ', and not after ' || b.posted_at as expected, s.created_at::text as found
        from (
          select p.company_id, p.number, p.created_at, coalesce(max(p.created_at) over (
            partition by p.company_id order by p.number rows between unbounded preceding and 1 preceding), o.posted_at) as latest
          from ${postings} p
          left join ${opening} o on o.company_id = p.company_id
        ) s
        left join books b on b.company_id = s.company_id
        where s.created_at < s.latest - make_interval(mins => ${minutesApartMax})
          or s.created_at > greatest(b.posted_at, now() + make_interval(mins => ${minutesApartMax}))
        limit ${differencesMax}`),
  },
  {
    name: "each company has books",
    count: (tx) => countOf(tx, sql`select count(*) as count from companies`),
    find: (tx, { postings }) =>
      tx.query<Difference>(sql`
        select 'company ' || coalesce(c.company_id, b.company_id, p.company_id) as "where",
          'a company with books' as expected,
          case when c.company_id is null then 'no company' else 'no books' end as found
        from companies c
        full join books b on b.company_id = c.company_id
        full join (select distinct company_id from ${postings} p) p on p.company_id = coalesce(c.company_id, b.company_id)
        where c.company_id is null or b.company_id is null
        limit ${differencesMax}`),
  },
  {
    name: "each funding is in the books, and no other is",
    count: (tx, { fundings }) => countOf(tx, sql`select count(*) as count from ${fundings} f`),
    find: (tx, { fundings, postings }) =>
      tx.query<Difference>(sql`
        select 'funding ' || coalesce(f.id, p.subject_id) as "where",
          coalesce(f.amount, 0) || ' at ' || coalesce(f.created_at::text, 'no time') as expected,
          coalesce(p.amount, 0) || ' at ' || coalesce(p.created_at::text, 'no time') as found
        from ${fundings} f
        full join (
          select company_id, subject_id, sum(amount) as amount, min(created_at) as created_at from ${postings} p
          where event = 'company.funded' group by company_id, subject_id
        ) p on p.company_id = f.company_id and p.subject_id = f.id
        where f.amount is distinct from p.amount
          or abs(extract(epoch from f.created_at - p.created_at)) > ${minutesApartMax * 60}
        limit ${differencesMax}`),
  },
  {
    name: "each withdrawal and adjustment is in the books, and no other is",
    count: (tx, { withdrawals, adjustments }) =>
      countOf(
        tx,
        sql`select (select count(*) from ${withdrawals} w) + (select count(*) from ${adjustments} a) as count`,
      ),
    find: (tx, { withdrawals, adjustments, postings }) =>
      tx.query<Difference>(sql`
        select coalesce(m.event, p.event) || ' ' || coalesce(m.id, p.subject_id) as "where",
          coalesce(m.amount || ' from ' || m.debit || ' to ' || m.credit || ' at ' || m.created_at, 'nothing') as expected,
          coalesce(p.amount || ' from ' || p.debit_account || ' to ' || p.credit_account || ' at ' || p.created_at
            || ', posted ' || p.times || ' times', 'nothing') as found
        from (
          select company_id, id, 'company.withdrawn'::posting_event as event, 'available'::account as debit,
            'external'::account as credit, amount, created_at from ${withdrawals} w
          union all
          select company_id, id, 'company.adjusted', from_account, to_account, amount, created_at from ${adjustments} a
        ) m
        full join (
          select company_id, subject_id, event, debit_account, credit_account, amount, created_at,
            count(*) over (partition by company_id, subject_id) as times
          from ${postings} p where event in ('company.withdrawn', 'company.adjusted')
        ) p on p.company_id = m.company_id and p.subject_id = m.id and p.event = m.event
        where (m.debit, m.credit, m.amount, 1) is distinct from (p.debit_account, p.credit_account, p.amount, p.times)
          or abs(extract(epoch from m.created_at - p.created_at)) > ${minutesApartMax * 60}
        limit ${differencesMax}`),
  },
];
