import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { digestOfCharges, digestOfTransfers, digestOfWallets } from "./digests.ts";

/** What an audit that continues from a checkpoint looks at besides: whether the books still are those that the checkpoint is of. */
export const checkpointChecks: readonly AuditCheck[] = [
  {
    name: "the books go on from the checkpoint",
    count: (tx) => countOf(tx, sql`select count(*) as count from audit_opening where is_known`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || o.company_id as "where",
          concat_ws(', ', 'posting ' || o.posting || coalesce(' with the chain ' || encode(o.chain, 'hex'), ''),
            'event ' || o.event, 'the seal of ' || o.seal_day) || ' as at the checkpoint' as expected,
          case when b.company_id is null then 'no books'
            when b.last_posting < o.posting or b.last_event < o.event
              then 'books that end at posting ' || b.last_posting || ' and event ' || b.last_event
            else 'another history' end as found
        from audit_opening o
        left join books b on b.company_id = o.company_id
        where o.is_known and (b.company_id is null or b.last_posting < o.posting or b.last_event < o.event
          or (o.chain is not null and b.chained_after is distinct from o.chained_after)
          or (o.chain is not null and (
            select p.chain from postings p where p.company_id = o.company_id and p.number = o.posting) is distinct from o.chain)
          or (o.seal_day is not null and (
            select s.hash from seals s where s.company_id = o.company_id and s.day = o.seal_day and s.number = o.seal_number
          ) is distinct from o.seal_hash))
        limit ${differencesMax}`),
  },
  {
    name: "what was pending or due at the checkpoint is, or has ended since",
    count: (tx, { openBefore }) => countOf(tx, sql`select count(*) as count from ${openBefore} b`),
    find: (tx, { openBefore, transfers, charges, newChargeTransactions }) =>
      tx.query<Difference>(sql`
        select v.what || ' of company ' || o.company_id as "where", 'those of the checkpoint' as expected,
          case when v.found is null then 'none' when v.expected is null then 'others, where there were none'
            else 'others' end as found
        from audit_opening o
        left join (
          select t.company_id, ${digestOfTransfers} as digest
          from ${openBefore} b join ${transfers} t on t.company_id = b.company_id and t.id = b.id
          group by t.company_id
        ) p on p.company_id = o.company_id
        left join (
          select c.company_id, ${digestOfCharges} as digest
          from ${charges} c join audit_opening i on i.company_id = c.company_id
          where c.id <= i.charge and (c.status in ('due', 'dropped') or exists (
            select 1 from ${newChargeTransactions} k
            where k.company_id = c.company_id and k.charge_id = c.id and k.type = 'payment' and k.status = 'completed'))
          group by c.company_id
        ) d on d.company_id = o.company_id
        cross join lateral (
          values ('pending transfers', o.pending, p.digest), ('due charges', o.due, d.digest)) v(what, expected, found)
        where v.expected is distinct from v.found
        limit ${differencesMax}`),
  },
  {
    name: "each wallet holds what it did at the checkpoint, and what came since",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from wallets`),
    // One digest for all: which wallet it is, an audit of everything says.
    find: (tx, { walletEntries }) =>
      tx.query<Difference>(sql`
        select 'wallets' as "where", 'what they held at the checkpoint, and what came since' as expected,
          'other balances' as found
        from audit_opening_sums s
        where s.wallets is distinct from ${digestOfWallets(sql`(
          select w.msisdn, w.balance - coalesce(e.amount, 0) as balance
          from wallets w
          left join (select msisdn, sum(amount) as amount from ${walletEntries} e group by msisdn) e on e.msisdn = w.msisdn
        )`)}`),
  },
];
