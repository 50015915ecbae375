import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** A worker that is up drops within a second; after this long something is wrong with it. */
const overdueMinutesMax = 10;
/** The longest that a charge may be due, and a minute for a clock that was set back. */
const lifetimeSecondsMax = 86_400 + 60;

const countCharges: AuditCheck["count"] = (tx, { charges }) =>
  countOf(tx, sql`select count(*) as count from ${charges} c`);
const countMoved: AuditCheck["count"] = (tx, { newChargeTransactions }) =>
  countOf(
    tx,
    sql`select count(*) as count from ${newChargeTransactions} t where status = 'completed'`,
  );

export const chargeChecks: readonly AuditCheck[] = [
  {
    name: "each charge is what its payments and refunds make of it",
    count: countCharges,
    // The fee given back is the fee's share of all that was refunded, half up: (2ab + c) / 2c.
    find: (tx, { charges, chargeTransactions }) =>
      tx.query<Difference>(sql`
        select 'charge ' || c.id as "where",
          c.status || ', paid ' || c.paid || ', refunded ' || c.refunded || ', attempts ' || c.attempts || ', changed at '
            || c.updated_at as expected,
          'paid ' || coalesce(t.paid, 0) || ' with fee ' || coalesce(t.fee, 0) || ', refunded '
            || coalesce(t.refunded, 0) || ' with fee ' || coalesce(t.fee_refunded, 0) || ', attempts '
            || coalesce(t.attempts, 0) || coalesce(', the last at ' || t.last_at, '') as found
        from ${charges} c
        left join (
          select company_id, charge_id,
            count(*) filter (where type = 'payment') as attempts,
            sum(amount) filter (where type = 'payment' and status = 'completed') as paid,
            sum(fee) filter (where type = 'payment' and status = 'completed') as fee,
            sum(amount) filter (where type = 'refund') as refunded,
            sum(fee) filter (where type = 'refund') as fee_refunded,
            max(created_at) as last_at
          from ${chargeTransactions} t
          group by company_id, charge_id
        ) t on t.company_id = c.company_id and t.charge_id = c.id
        where c.paid <> coalesce(t.paid, 0) or c.refunded <> coalesce(t.refunded, 0)
          or c.attempts <> coalesce(t.attempts, 0)
          or coalesce(t.fee, 0) <> case when c.paid > 0 then c.fee else 0 end
          or coalesce(t.fee_refunded, 0) <> case when c.paid > 0
            then (2 * c.fee * c.refunded + c.paid) / (2 * c.paid) else 0 end
          or (c.dropped_reason is null and c.updated_at <> coalesce(t.last_at, c.created_at))
        limit ${differencesMax}`),
  },
  {
    name: "each payment and refund is in the books, and no other is",
    count: countMoved,
    find: (tx, { newChargeTransactions, postings }) =>
      tx.query<Difference>(sql`
        select coalesce(t.type::text, 'posting') || ' ' || coalesce(t.id, p.subject_id) as "where",
          'available ' || coalesce(t.sign * (t.amount - t.fee), 0) || ', fees ' || coalesce(t.sign * t.fee, 0) as expected,
          'available ' || coalesce(p.available, 0) || ', fees ' || coalesce(p.fees, 0) || ', paid out '
            || coalesce(p.paid_out, 0) as found
        from (
          select company_id, id, type, amount, fee,
            case when type = 'payment' then 'charge.paid' else 'charge.refunded' end::posting_event as event,
            case when type = 'payment' then 1 else -1 end as sign
          from ${newChargeTransactions} t where status = 'completed'
        ) t
        full join (
          select p.company_id, p.subject_id, p.event,
            sum(v.delta) filter (where v.account = 'available') as available,
            sum(v.delta) filter (where v.account = 'fees') as fees,
            sum(v.delta) filter (where v.account = 'paid_out') as paid_out
          from ${postings} p
          cross join lateral (values (p.credit_account, p.amount), (p.debit_account, -p.amount)) v(account, delta)
          where p.event in ('charge.paid', 'charge.refunded')
          group by p.company_id, p.subject_id, p.event
        ) p on p.company_id = t.company_id and p.subject_id = t.id and p.event = t.event
        where coalesce(p.available, 0) <> coalesce(t.sign * (t.amount - t.fee), 0)
          or coalesce(p.fees, 0) <> coalesce(t.sign * t.fee, 0)
          or coalesce(p.paid_out, 0) <> coalesce(-t.sign * t.amount, 0)
        limit ${differencesMax}`),
  },
  {
    name: "each payment and refund is in the payer's wallet, and no other is",
    count: countMoved,
    find: (tx, { newChargeTransactions, walletEntries }) =>
      tx.query<Difference>(sql`
        select coalesce(t.type::text, 'wallet entry') || ' ' || coalesce(t.id, e.subject_id) as "where",
          coalesce(t.amount, 0) || coalesce(' at ' || t.created_at, '') as expected,
          coalesce(e.amount, 0) || coalesce(' at ' || e.created_at, '') as found
        from (
          select company_id, id, type, msisdn, created_at,
            case when type = 'payment' then 'charge.paid' else 'charge.refunded' end::posting_event as event,
            case when type = 'payment' then -amount else amount end as amount
          from ${newChargeTransactions} t where status = 'completed'
        ) t
        full join (
          select company_id, subject_id, msisdn, event, amount, created_at from ${walletEntries} e
          where event in ('charge.paid', 'charge.refunded')
        ) e on e.subject_id = t.id and e.msisdn = t.msisdn and e.event = t.event and e.company_id = t.company_id
        where t.amount is distinct from e.amount or t.created_at is distinct from e.created_at
        limit ${differencesMax}`),
  },
  {
    name: "what is refunded goes back to who paid",
    count: (tx, { chargeTransactions }) =>
      countOf(tx, sql`select count(*) as count from ${chargeTransactions} t where type = 'refund'`),
    find: (tx, { chargeTransactions }) =>
      tx.query<Difference>(sql`
        select 'refund ' || r.id as "where", 'the payer''s number' as expected,
          case when p.id is null then 'nobody paid' else 'another number' end as found
        from ${chargeTransactions} r
        left join ${chargeTransactions} p on p.company_id = r.company_id and p.charge_id = r.charge_id
          and p.type = 'payment' and p.status = 'completed'
        where r.type = 'refund' and p.msisdn is distinct from r.msisdn
        limit ${differencesMax}`),
  },
  {
    name: "each charge is a company's, with the fee of its rate and a time within its bounds",
    count: countCharges,
    find: (tx, { charges }) =>
      tx.query<Difference>(sql`
        select 'charge ' || c.id as "where",
          'fee ' || (amount * fee_rate_ppm + 500000) / 1000000 || ', made at ' || time_of_id(id) as expected,
          'fee ' || fee || ', made at ' || c.created_at || ', due until ' || expires_at
            || case when b.company_id is null then ', no company' else '' end as found
        from ${charges} c
        left join books b on b.company_id = c.company_id
        where b.company_id is null or fee <> (amount * fee_rate_ppm + 500000) / 1000000
          or c.created_at <> time_of_id(id) or expires_at < c.created_at
          or expires_at > c.created_at + make_interval(secs => ${lifetimeSecondsMax})
        limit ${differencesMax}`),
  },
  {
    name: "each charge has the rate and keeps to the limits of the price that held when it came",
    count: countCharges,
    find: (tx, { charges }) =>
      tx.query<Difference>(sql`
        select 'charge ' || c.id as "where",
          p.charge_fee_rate_ppm || ' per million, amount ' || p.charge_amount_min || ' to ' || p.charge_amount_max
            || ' (price ' || p.number || ')' as expected,
          c.fee_rate_ppm || ' per million, amount ' || c.amount as found
        from ${charges} c
        join (
          select *, lead(after_charge) over (partition by company_id order by number) as upto from prices
        ) p on p.company_id = c.company_id and c.id > p.after_charge and (p.upto is null or c.id < p.upto)
        where c.fee_rate_ppm <> p.charge_fee_rate_ppm or c.amount not between p.charge_amount_min and p.charge_amount_max
        limit ${differencesMax}`),
  },
  {
    name: `no charge is due for more than ${overdueMinutesMax} minutes after its time`,
    count: (tx, { charges }) =>
      countOf(tx, sql`select count(*) as count from ${charges} c where status = 'due'`),
    find: (tx, { charges }) =>
      tx.query<Difference>(sql`
        select 'charge ' || id as "where", 'dropped by now' as expected,
          'due, though its time was over at ' || to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as found
        from ${charges} c
        where status = 'due' and expires_at < now() - make_interval(mins => ${overdueMinutesMax})
        limit ${differencesMax}`),
  },
];
