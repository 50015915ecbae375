import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { digestOfCharges, digestOfTransfers, digestOfWallets } from "./digests.ts";

/**
 * How everything stands in the snapshot of a transaction, as JSON. `books` has the columns of `opening` of AuditRows for each company:
 * the last posting with its chain, the five balances, the last event, the last seal, the newest ids, the last entry of its trail.
 *
 * Ids of transfers, batches and charges are given under a lock, so what comes later has a higher one. Other ids are made by nodes:
 * of those a higher one is surely new, and a lower one is found by its posting.
 *
 * The form says which checks had been made. A release that makes others looks at everything once.
 */
export async function takeCheckpoint(tx: Tx, form: string): Promise<string> {
  const [row] = await tx.query<{ content: string }>(sql`
    select json_build_object(
      'form', ${form}::text,
      'latest', (select coalesce(max(posted_at), '-infinity') from books),
      'wallets', ${digestOfWallets(sql`wallets`)},
      'trails', (select coalesce(json_agg(h order by h.trail), '[]') from (
        select trail, number, hash from shared_trail_heads) h),
      'books', (select coalesce(json_agg(b order by b.company_id), '[]') from (
        select b.company_id, b.last_posting as posting, b.chain, b.chained_after, b.available, b.in_flight, b.fees,
          b.external, b.paid_out, b.last_event as event, b.posted_at, greatest(clock_timestamp(), b.posted_at) as taken_at,
          greatest(
            (select id from transfers i where i.company_id = b.company_id order by id desc limit 1),
            (select id from batches i where i.company_id = b.company_id order by id desc limit 1)) as transfer,
          (select id from charges i where i.company_id = b.company_id order by id desc limit 1) as charge,
          (select id from charge_transactions i where i.company_id = b.company_id and i.amount > 0
            order by id desc limit 1) as charge_transaction,
          (select id from fundings i where i.company_id = b.company_id order by id desc limit 1) as funding,
          (select id from withdrawals i where i.company_id = b.company_id order by id desc limit 1) as withdrawal,
          (select id from adjustments i where i.company_id = b.company_id order by id desc limit 1) as adjustment,
          (select totalled_to from statement_progress g where g.company_id = b.company_id) as totalled_to,
          s.day as seal_day, s.number as seal_number, s.hash as seal_hash,
          h.number as trail_number, h.hash as trail_hash, p.digest as pending, d.digest as due
        from books b
        left join (
          select distinct on (company_id) company_id, day, number, hash from seals order by company_id, number desc
        ) s on s.company_id = b.company_id
        left join trail_heads h on h.company_id = b.company_id
        left join (
          select t.company_id, ${digestOfTransfers} as digest
          from (
            select company_id, id from pending_transfers
            union all
            select company_id, id from held_transfers where decision_id is null
          ) q
          join transfers t on t.company_id = q.company_id and t.id = q.id
          group by t.company_id
        ) p on p.company_id = b.company_id
        left join (
          select c.company_id, ${digestOfCharges} as digest from charges c
          where c.status = 'due' and c.amount > 0 group by c.company_id
        ) d on d.company_id = b.company_id
      ) b)
    )::text as content`);
  return row?.content ?? "";
}
