import type { Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import { type AuditCheck, type Difference, differencesMax } from "../ledger/audit.ts";

/** A worker that is up settles within a second; after this long something is wrong with it. */
const pendingMinutesMax = 10;

async function count(tx: Tx, query: Query): Promise<number> {
  return (await tx.query<{ count: number }>(query))[0]?.count ?? 0;
}

export const transferChecks: readonly AuditCheck[] = [
  {
    name: "each transfer's postings match its status",
    count: (tx) => count(tx, sql`select count(*) as count from transfers`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'transfer ' || t.id as "where",
          t.status || ' with ' || t.amount || ' + ' || t.fee as expected,
          'reserved ' || coalesce(p.reserved, 0) || ', paid out ' || coalesce(p.paid_out, 0)
            || ', fees ' || coalesce(p.fees, 0) || ', released ' || coalesce(p.released, 0) as found
        from transfers t
        left join (
          select company_id, subject_id,
            sum(amount) filter (where event = 'transfer.reserved') as reserved,
            sum(amount) filter (where event = 'transfer.completed' and credit_account = 'paid_out') as paid_out,
            sum(amount) filter (where event = 'transfer.completed' and credit_account = 'fees') as fees,
            sum(amount) filter (where event = 'transfer.released') as released
          from postings
          where event like 'transfer.%'
          group by company_id, subject_id
        ) p on p.company_id = t.company_id and p.subject_id = t.id
        where coalesce(p.reserved, 0) <> t.amount + t.fee
          or coalesce(p.paid_out, 0) <> case when t.status = 'completed' then t.amount else 0 end
          or coalesce(p.fees, 0) <> case when t.status = 'completed' then t.fee else 0 end
          or coalesce(p.released, 0) <> case when t.status = 'failed' then t.amount + t.fee else 0 end
        limit ${differencesMax}`),
  },
  {
    name: "each completed transfer is in its wallet, and no other is",
    count: (tx) =>
      count(
        tx,
        sql`select count(*) as count from transfers where status = 'completed' and status <> ''`,
      ),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'transfer ' || coalesce(t.id, e.subject_id) as "where",
          coalesce(t.amount, 0)::text as expected, coalesce(e.amount, 0)::text as found
        from (select id, msisdn, amount from transfers where status = 'completed') t
        full join (
          select subject_id, msisdn, amount from wallet_entries where event = 'transfer.completed'
        ) e on e.subject_id = t.id and e.msisdn = t.msisdn
        where t.amount is distinct from e.amount
        limit ${differencesMax}`),
  },
  {
    name: "what is in flight is what is pending",
    count: (tx) => count(tx, sql`select count(*) as count from accounts where kind = 'in_flight'`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || a.company_id as "where", coalesce(t.total, 0)::text as expected, a.balance::text as found
        from accounts a
        left join (
          select company_id, sum(amount + fee) as total from transfers where status = 'pending' group by company_id
        ) t on t.company_id = a.company_id
        where a.kind = 'in_flight' and a.balance <> coalesce(t.total, 0)
        limit ${differencesMax}`),
  },
  {
    name: "each batch counts its transfers",
    count: (tx) => count(tx, sql`select count(*) as count from batches`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'batch ' || b.id as "where",
          t.size || ' rows, ' || t.completed || ' completed, ' || t.failed || ' failed' as expected,
          b.size || ' rows, ' || b.completed_count || ' completed, ' || b.failed_count || ' failed' as found
        from batches b
        join (
          select company_id, batch_id, count(*) as size, count(*) filter (where status = 'completed') as completed,
            count(*) filter (where status = 'failed') as failed, sum(amount) as amount, sum(fee) as fee
          from transfers where batch_id is not null group by company_id, batch_id
        ) t on t.company_id = b.company_id and t.batch_id = b.id
        where b.size <> t.size or b.completed_count <> t.completed or b.failed_count <> t.failed
          or b.total_amount <> t.amount or b.total_fee <> t.fee
        limit ${differencesMax}`),
  },
  {
    name: `no transfer is pending for more than ${pendingMinutesMax} minutes`,
    count: (tx) => count(tx, sql`select count(*) as count from transfers where status = 'pending'`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'transfer ' || id as "where", 'settled by now' as expected,
          'pending since ' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as found
        from transfers
        where status = 'pending' and created_at < now() - make_interval(mins => ${pendingMinutesMax})
        limit ${differencesMax}`),
  },
];
