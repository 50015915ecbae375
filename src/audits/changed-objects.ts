import { type Query, sql } from "../database/sql.ts";

/** Temporary tables and what is in them, in the order in which they are found by one another. */
export type Window = readonly (readonly [name: Query, rows: Query])[];

/** Transfers that were made since, that ended since, and that are pending. The last two were pending at the checkpoint. */
export const transferWindow: Window = [
  [
    sql`audit_transfer_ids`,
    sql`
      select company_id, subject_id as id from audit_postings
      where event in ('transfer.reserved', 'transfer.completed', 'transfer.released')
      union
      select company_id, id from pending_transfers
      union
      select company_id, id from held_transfers where decision_id is null
      union
      select o.company_id, x.id from audit_opening o
      cross join lateral (
        select id from transfers i where i.company_id = o.company_id and i.id > o.transfer offset 0) x
      union
      select o.company_id, x.id from audit_opening o
      cross join lateral (
        select id from outcomes i where i.company_id = o.company_id and i.id > o.transfer offset 0) x`,
  ],
  [sql`audit_transfers`, byId(sql`transfers`, sql`audit_transfer_ids`)],
  [sql`audit_outcomes`, byId(sql`outcomes`, sql`audit_transfer_ids`)],
  [sql`audit_held_transfers`, byId(sql`held_transfers`, sql`audit_transfer_ids`)],
  [
    sql`audit_open_before`,
    sql`
      select t.company_id, t.id from audit_transfers t join audit_opening o on o.company_id = t.company_id
      where t.id <= o.transfer and not exists (
        select 1 from audit_postings p
        where p.company_id = t.company_id and p.subject_id = t.id and p.event = 'transfer.reserved')`,
  ],
  [
    // Decisions about what was held at the checkpoint: nothing that one of them is about had ended by then.
    sql`audit_held_decisions`,
    sql`
      select d.* from (
        select company_id, decision_id, count(*) as count from audit_held_transfers
        where decision_id is not null group by company_id, decision_id
      ) x
      join held_decisions d on d.company_id = x.company_id and d.id = x.decision_id
      where x.count = (
        select count(*) from held_transfers h where h.company_id = x.company_id and h.decision_id = x.decision_id)`,
  ],
];

export const batchWindow: Window = [
  [
    sql`audit_batch_ids`,
    sql`
      select company_id, batch_id as id from audit_transfers where batch_id is not null
      union
      select company_id, subject_id from audit_events where topic::text = 'batches/completed'
      union
      select o.company_id, x.id from audit_opening o
      cross join lateral (
        select id from batches i where i.company_id = o.company_id and i.id > o.transfer offset 0) x`,
  ],
  [sql`audit_batches`, byId(sql`batches`, sql`audit_batch_ids`)],
  [
    sql`audit_batched`,
    sql`
      select b.company_id, b.id as batch_id, t.amount, t.fee,
        (select o.status from outcomes o where o.company_id = t.company_id and o.id = t.id) as status
      from audit_batch_ids b
      cross join lateral (
        select * from transfers i where i.company_id = b.company_id and i.batch_id = b.id offset 0) t`,
  ],
];

/** Charges that were made since, paid, refunded, attempted or told of since, and those that are due. */
export const chargeWindow: Window = [
  [
    sql`audit_moved_charges`,
    sql`
      select x.* from (
        select distinct company_id, subject_id from audit_postings where event in ('charge.paid', 'charge.refunded')
      ) p
      cross join lateral (
        select * from charge_transactions i
        where i.company_id = p.company_id and i.id = p.subject_id and i.amount > 0 offset 0) x
      union
      select x.* from audit_opening o
      cross join lateral (
        select * from charge_transactions i
        where i.company_id = o.company_id and i.id > o.charge_transaction and i.amount > 0 offset 0) x`,
  ],
  [
    sql`audit_charge_ids`,
    sql`
      select company_id, charge_id as id from audit_moved_charges
      union
      select company_id, subject_id from audit_events where topic = 'charge/events'
      union
      select o.company_id, x.id from audit_opening o
      cross join lateral (
        select id from charges i where i.company_id = o.company_id and i.id > o.charge offset 0) x
      union
      select o.company_id, x.id from audit_opening o
      cross join lateral (
        select id from charges i where i.company_id = o.company_id and i.status = 'due' and i.amount > 0 offset 0) x`,
  ],
  [sql`audit_charges`, byId(sql`charges`, sql`audit_charge_ids`)],
  [
    sql`audit_charge_transactions`,
    sql`
      select x.* from audit_charge_ids c
      cross join lateral (
        select * from charge_transactions i where i.company_id = c.company_id and i.charge_id = c.id offset 0) x`,
  ],
  [
    sql`audit_new_charge_transactions`,
    sql`
      select * from audit_moved_charges
      union
      select k.* from audit_charge_transactions k join audit_opening o on o.company_id = k.company_id
      where k.charge_id > o.charge`,
  ],
];

function byId(table: Query, ids: Query): Query {
  return sql`
    select x.* from ${ids} s
    cross join lateral (select * from ${table} i where i.company_id = s.company_id and i.id = s.id offset 0) x`;
}
