import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** A worker that is up settles within a second; after this long something is wrong with it. */
const pendingMinutesMax = 10;

const countTransfers: AuditCheck["count"] = (tx, { transfers }) =>
  countOf(tx, sql`select count(*) as count from ${transfers} t`);

export const transferChecks: readonly AuditCheck[] = [
  {
    name: "each transfer is pending or has ended, never both and never neither",
    count: countTransfers,
    find: (tx, { transfers, outcomes, heldTransfers }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || x.id as "where", 'pending or ended' as expected,
          case when sum(x.made) = 0 then 'no transfer' when sum(x.pending) + sum(x.ended) = 0 then 'neither'
            when sum(x.ended) = 0 then 'in the queue and held' else 'both' end as found
        from (
          select company_id, id, 1 as made, 0 as pending, 0 as ended from ${transfers} t
          union all
          select company_id, id, 0, 1, 0 from pending_transfers
          union all
          select company_id, id, 0, 1, 0 from ${heldTransfers} h where decision_id is null
          union all
          select company_id, id, 0, 0, 1 from ${outcomes} o
        ) x
        group by x.company_id, x.id
        having sum(x.made) = 0 or sum(x.pending) + sum(x.ended) <> 1
        limit ${differencesMax}`),
  },
  {
    name: "each transfer has the postings of its status, and no other has any",
    count: countTransfers,
    // What was pending at a checkpoint was reserved before it.
    find: (tx, { transfers, outcomes, postings, openBefore }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || coalesce(t.id, p.subject_id) as "where",
          coalesce(coalesce(o.status::text, 'pending') || ' with ' || (t.amount + t.fee), 'nothing') as expected,
          'reserved ' || coalesce(p.reserved, 0) || ', paid out ' || coalesce(p.paid_out, 0) || ', fees '
            || coalesce(p.fees, 0) || ', released ' || coalesce(p.released, 0) as found
        from ${transfers} t
        left join ${outcomes} o on o.company_id = t.company_id and o.id = t.id
        left join ${openBefore} b on b.company_id = t.company_id and b.id = t.id
        full join (
          select company_id, subject_id,
            sum(amount) filter (where event = 'transfer.reserved') as reserved,
            sum(amount) filter (where event = 'transfer.completed' and credit_account = 'paid_out') as paid_out,
            sum(amount) filter (where event = 'transfer.completed' and credit_account = 'fees') as fees,
            sum(amount) filter (where event = 'transfer.released') as released
          from ${postings} p
          where event in ('transfer.reserved', 'transfer.completed', 'transfer.released')
          group by company_id, subject_id
        ) p on p.company_id = t.company_id and p.subject_id = t.id
        where t.id is null or coalesce(p.reserved, 0) <> case when b.id is null then t.amount + t.fee else 0 end
          or coalesce(p.paid_out, 0) <> case when o.status = 'completed' then t.amount else 0 end
          or coalesce(p.fees, 0) <> case when o.status = 'completed' then t.fee else 0 end
          or coalesce(p.released, 0) <> case when o.status = 'failed' then t.amount + t.fee else 0 end
        limit ${differencesMax}`),
  },
  {
    name: "each transfer has the fee and keeps to the limits of the price that held when it came",
    count: countTransfers,
    // By the posting that reserved it: a price holds for those after the one it names. Half up, as feeOf in kernel/amount.ts.
    find: (tx, { transfers, postings }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || f.id as "where",
          'fee ' || f.expected || ', amount ' || f.transfer_amount_min || ' to ' || f.transfer_amount_max || ' (price '
            || f.number || ')' as expected,
          'fee ' || f.fee || ', amount ' || f.amount as found
        from (
          select t.id, t.fee, t.amount, c.*,
            least(c.transfer_fee_max, greatest(c.transfer_fee_min,
              (t.amount * c.transfer_fee_rate_ppm + 500000) / 1000000 + c.transfer_fee_flat)) as expected
          from ${transfers} t
          join ${postings} p on p.company_id = t.company_id and p.subject_id = t.id and p.event = 'transfer.reserved'
          join (
            select *, lead(after_posting) over (partition by company_id order by number) as upto from prices
          ) c on c.company_id = t.company_id and p.number > c.after_posting and (c.upto is null or p.number <= c.upto)
        ) f
        where f.fee <> f.expected or f.amount not between f.transfer_amount_min and f.transfer_amount_max
        limit ${differencesMax}`),
  },
  {
    name: "each completed transfer is in its wallet, and no other is",
    count: (tx, { outcomes }) =>
      countOf(tx, sql`select count(*) as count from ${outcomes} o where status = 'completed'`),
    // Each side by itself, because companies and people may be on two nodes.
    find: (tx, { transfers, outcomes, walletEntries }) =>
      tx.query<Difference>(sql`
        with t as materialized (
          select t.company_id, t.id, t.msisdn, t.amount, o.ended_at from ${transfers} t
          join ${outcomes} o on o.company_id = t.company_id and o.id = t.id
          where o.status = 'completed'
        ), e as materialized (
          select company_id, subject_id, msisdn, amount, created_at from ${walletEntries} e where event = 'transfer.completed'
        )
        select 'transfer ' || coalesce(t.id, e.subject_id) as "where",
          coalesce(t.amount, 0) || coalesce(' by ' || t.ended_at, '') as expected,
          coalesce(e.amount, 0) || coalesce(' at ' || e.created_at, '') as found
        from t full join e on e.subject_id = t.id and e.msisdn = t.msisdn and e.company_id = t.company_id
        where t.amount is distinct from e.amount or date_trunc('milliseconds', e.created_at) not between time_of_id(t.id) and t.ended_at
        limit ${differencesMax}`),
  },
  {
    name: "each outcome says of its transfer what is true, and postings bear its time",
    count: (tx, { outcomes }) => countOf(tx, sql`select count(*) as count from ${outcomes} o`),
    find: (tx, { transfers, outcomes, postings }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || t.id as "where",
          'the transfer''s own number and sub-company, posted when it was made and when it ended' as expected,
          case when p.company_id is null then 'another number or sub-company'
            else p.event || ' posted at ' || p.created_at end as found
        from ${transfers} t
        left join ${outcomes} o on o.company_id = t.company_id and o.id = t.id
        left join ${postings} p on p.company_id = t.company_id and p.subject_id = t.id and abs(extract(epoch from
          p.created_at - case when p.event = 'transfer.reserved' then time_of_id(t.id) else o.ended_at end)) > 60
        where p.company_id is not null or (o.status = 'failed'
          and (o.failed_msisdn, o.failed_sub_company_id) is distinct from (t.msisdn, t.sub_company_id))
        limit ${differencesMax}`),
  },
  {
    name: "what is in flight is what is pending",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx, { transfers, heldTransfers }) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where", coalesce(q.total, 0)::text as expected, b.in_flight::text as found
        from books b
        left join (
          select t.company_id, sum(t.amount + t.fee) as total
          from (
            select company_id, id from pending_transfers
            union all
            select company_id, id from ${heldTransfers} h where decision_id is null
          ) p
          join ${transfers} t on t.company_id = p.company_id and t.id = p.id
          group by t.company_id
        ) q on q.company_id = b.company_id
        where b.in_flight <> coalesce(q.total, 0)
        limit ${differencesMax}`),
  },
  {
    name: "nothing that is pending has been passed by",
    count: (tx) => countOf(tx, sql`select count(*) as count from pending_transfers`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'transfer ' || q.id as "where", 'above ' || s.settled_upto as expected, 'pending' as found
        from pending_transfers q
        left join settling s on s.company_id = q.company_id
        where s.settled_upto is null or q.id <= s.settled_upto
        limit ${differencesMax}`),
  },
  {
    name: "each batch counts its transfers",
    count: (tx, { batches }) => countOf(tx, sql`select count(*) as count from ${batches} b`),
    find: (tx, { batches, batched }) =>
      tx.query<Difference>(sql`
        select 'batch ' || b.id as "where",
          coalesce(t.size, 0) || ' rows, ' || coalesce(t.completed, 0) || ' completed, ' || coalesce(t.failed, 0)
            || ' failed, ' || coalesce(t.completed_amount, 0) || ' and ' || coalesce(t.failed_amount, 0) || ' francs, fees '
            || coalesce(t.completed_fee, 0) as expected,
          b.size || ' rows, ' || b.completed_count || ' completed, ' || b.failed_count || ' failed, '
            || b.completed_amount || ' and ' || b.failed_amount || ' francs, fees ' || b.completed_fee as found
        from ${batches} b
        left join (
          select t.company_id, t.batch_id, count(*) as size, count(*) filter (where t.status = 'completed') as completed,
            count(*) filter (where t.status = 'failed') as failed, sum(t.amount) as amount, sum(t.fee) as fee,
            coalesce(sum(t.amount) filter (where t.status = 'completed'), 0) as completed_amount,
            coalesce(sum(t.amount) filter (where t.status = 'failed'), 0) as failed_amount,
            coalesce(sum(t.fee) filter (where t.status = 'completed'), 0) as completed_fee
          from ${batched} t group by t.company_id, t.batch_id
        ) t on t.company_id = b.company_id and t.batch_id = b.id
        where (b.size, b.completed_count, b.failed_count, b.total_amount, b.total_fee, b.completed_amount, b.failed_amount,
          b.completed_fee) is distinct from (t.size, t.completed, t.failed, t.amount, t.fee, t.completed_amount, t.failed_amount,
          t.completed_fee)
        limit ${differencesMax}`),
  },
  {
    name: `no transfer is pending for more than ${pendingMinutesMax} minutes`,
    count: (tx) => countOf(tx, sql`select count(*) as count from pending_transfers`),
    find: (tx, { heldTransfers }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || p.id as "where", 'settled by now' as expected,
          'pending since ' || to_char(p.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as found
        from (
          select q.id, time_of_id(coalesce(h.decision_id, q.id)) as since
          from pending_transfers q left join ${heldTransfers} h on h.company_id = q.company_id and h.id = q.id
        ) p
        where p.since < now() - make_interval(mins => ${pendingMinutesMax})
        limit ${differencesMax}`),
  },
];
