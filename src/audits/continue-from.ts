import type { Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import { type AuditRows, statementLinesOf } from "../ledger/audit-rows.ts";
import { stretchSize } from "../statements/totals.ts";
import { batchWindow, chargeWindow, transferWindow, type Window } from "./changed-objects.ts";

const noId = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
/** An entry bears the time of its transaction to the microsecond; a posting's time is cut to the millisecond. */
const entryLead = sql`interval '1 millisecond'`;

/**
 * The rows that came after a checkpoint, and whole objects that something happened to since: in temporary tables, so that the checks run
 * on them as they run on everything. Each row is found by a key, from the checkpoint or from a row that was found before. So nothing
 * old is read, however much of it there is.
 *
 * What belongs here is decided by what cannot be made earlier: numbers of postings and events, and ids that are given under a lock.
 * A row that somebody gives an older number or id is not seen; only an audit of everything sees that.
 */
export async function continueFrom(tx: Tx, content: string): Promise<AuditRows> {
  // Whatever the planner believes of tables that it knows nothing about yet: old rows are looked up, and never read through.
  await tx.query(sql`set local enable_seqscan = off`);
  // The tables stay in memory, and the planner needs to know their sizes and little more.
  await tx.query(sql`set local temp_buffers = '256MB'`);
  await tx.query(sql`set local default_statistics_target = 10`);
  for (const [name, rows] of windowOf(content)) {
    await tx.query(sql`create temp table ${name} on commit drop as ${rows}`);
    await tx.query(sql`analyze ${name}`);
  }
  await tx.query(sql`set local enable_seqscan = on`);
  return {
    postings: sql`audit_postings`,
    fundings: sql`audit_fundings`,
    withdrawals: sql`audit_withdrawals`,
    adjustments: sql`audit_adjustments`,
    transfers: sql`audit_transfers`,
    outcomes: sql`audit_outcomes`,
    heldTransfers: sql`audit_held_transfers`,
    heldDecisions: sql`audit_held_decisions`,
    batches: sql`audit_batches`,
    batched: sql`audit_batched`,
    charges: sql`audit_charges`,
    chargeTransactions: sql`audit_charge_transactions`,
    newChargeTransactions: sql`audit_new_charge_transactions`,
    walletEntries: sql`audit_wallet_entries`,
    events: sql`audit_events`,
    seals: sql`audit_seals`,
    proposalParts: sql`audit_proposal_parts`,
    statementTotals: sql`audit_statement_totals`,
    statementLines: sql`audit_statement_lines`,
    sealedLines: sql`audit_sealed_lines`,
    opening: sql`audit_opening`,
    openBefore: sql`audit_open_before`,
    openingTrails: sql`audit_opening_trails`,
  };
}

/** In their order: later ones are found by earlier ones. `offset 0` keeps a look-up a look-up. */
function windowOf(content: string): Window {
  return [
    ...openingOf(content),
    [sql`audit_postings`, since("postings", sql`i.number > o.posting`)],
    [sql`audit_events`, since("events", sql`i.last_number > o.event`)],
    [sql`audit_seals`, since("seals", sql`i.number > coalesce(o.seal_number, -1)`)],
    ...(["funding", "withdrawal", "adjustment"] as const).map((kind) => moneyOf(kind)),
    ...transferWindow,
    ...batchWindow,
    ...chargeWindow,
    ...walletWindow,
    ...statementWindow,
    [
      sql`audit_proposal_parts`,
      sql`
        select x.* from audit_opening o
        join proposal_parts x on x.company_id = o.company_id
        join proposals p on p.company_id = x.company_id and p.id = x.proposal_id
        where case when p.kind = 'refund' then exists (
            select 1 from audit_new_charge_transactions k where k.company_id = x.company_id and k.id = x.made_id)
          else x.made_id > o.transfer end`,
    ],
  ];
}

/** A row for each company that there is, or was at the checkpoint. One that was made since begins with nothing. */
function openingOf(content: string): Window {
  return [
    [
      sql`audit_opening`,
      sql`
        select c.company_id, k.company_id is not null as is_known, coalesce(k.posting, 0) as posting, k.chain, k.chained_after,
          coalesce(k.available, 0) as available, coalesce(k.in_flight, 0) as in_flight, coalesce(k.fees, 0) as fees,
          coalesce(k.external, 0) as external, coalesce(k.paid_out, 0) as paid_out, coalesce(k.event, 0) as event,
          k.posted_at, k.taken_at, coalesce(k.transfer, ${noId}) as transfer, coalesce(k.charge, ${noId}) as charge,
          coalesce(k.charge_transaction, ${noId}) as charge_transaction, coalesce(k.funding, ${noId}) as funding,
          coalesce(k.withdrawal, ${noId}) as withdrawal, coalesce(k.adjustment, ${noId}) as adjustment,
          coalesce(k.totalled_to, 0) as totalled_to, k.seal_day, k.seal_number, k.seal_hash, k.trail_number, k.trail_hash,
          k.pending, k.due
        from jsonb_to_recordset(${content}::jsonb -> 'books') as k(company_id uuid, posting bigint, chain bytea,
          chained_after bigint, available bigint, in_flight bigint, fees bigint, external bigint, paid_out bigint, event bigint,
          posted_at timestamptz, taken_at timestamptz, transfer uuid, charge uuid, charge_transaction uuid, funding uuid,
          withdrawal uuid, adjustment uuid, totalled_to bigint, seal_day date, seal_number bigint, seal_hash bytea,
          trail_number bigint, trail_hash bytea, pending text, due text)
        full join (select company_id from books) b on b.company_id = k.company_id
        cross join lateral (select coalesce(k.company_id, b.company_id) as company_id) c`,
    ],
    [
      sql`audit_opening_trails`,
      sql`
        select * from jsonb_to_recordset(${content}::jsonb -> 'trails') as k(trail text, number bigint, hash bytea)`,
    ],
    [
      sql`audit_opening_sums`,
      sql`
        select (k ->> 'latest')::timestamptz as latest, k ->> 'wallets' as wallets from (select ${content}::jsonb as k) x`,
    ],
  ];
}

/** Rows of a table of companies after the place that the checkpoint names. */
function since(table: "postings" | "events" | "seals", isNew: Query): Query {
  const name = { postings: sql`postings`, events: sql`events`, seals: sql`seals` }[table];
  return sql`
    select x.* from audit_opening o
    cross join lateral (select * from ${name} i where i.company_id = o.company_id and ${isNew} offset 0) x`;
}

function moneyOf(kind: "funding" | "withdrawal" | "adjustment"): readonly [Query, Query] {
  const [name, table, last] = {
    funding: [sql`audit_fundings`, sql`fundings`, sql`o.funding`] as const,
    withdrawal: [sql`audit_withdrawals`, sql`withdrawals`, sql`o.withdrawal`] as const,
    adjustment: [sql`audit_adjustments`, sql`adjustments`, sql`o.adjustment`] as const,
  }[kind];
  return [
    name,
    sql`
      select f.* from audit_opening o join ${table} f on f.company_id = o.company_id
      where f.id > ${last} or exists (
        select 1 from audit_postings p where p.company_id = f.company_id and p.subject_id = f.id)`,
  ];
}

/** Entries by their time, and those of what moved money since: a clock that went back dates them too early. */
const walletWindow: Window = [
  [
    sql`audit_late_entries`,
    sql`select * from wallet_entries where created_at > (select latest + ${entryLead} from audit_opening_sums)`,
  ],
  [
    sql`audit_wallet_entries`,
    sql`
      select * from audit_late_entries
      union all
      select e.* from (
        select msisdn, id from audit_transfers
        union all
        select msisdn, id from audit_new_charge_transactions
      ) x
      cross join lateral (
        select * from wallet_entries i where i.msisdn = x.msisdn and i.subject_id = x.id offset 0) e
      where not exists (
        select 1 from audit_late_entries l where l.msisdn = x.msisdn and l.subject_id = x.id)`,
  ],
];

const statementWindow: Window = [
  [
    sql`audit_statement_totals`,
    sql`
      select t.* from audit_opening o
      cross join lateral (
        -- The sums of the company as a whole.
        select ${noId} as id
        union all
        select id from sub_companies s where s.company_id = o.company_id
      ) s
      cross join lateral (
        select * from statement_totals i
        where i.company_id = o.company_id and i.sub_company_id = s.id and i.number >= coalesce((
          select max(m.number) from statement_totals m
          where m.company_id = o.company_id and m.sub_company_id = s.id and m.number <= o.totalled_to), 0)
        offset 0) t`,
  ],
  [
    // Sums are made of stretches: the first of them may begin before the checkpoint.
    sql`audit_unsummed_postings`,
    sql`
      select x.* from audit_opening o
      cross join lateral (
        select * from postings i where i.company_id = o.company_id and i.number > o.totalled_to offset 0) x`,
  ],
  [
    sql`audit_statement_lines`,
    sql`select * from ${statementLinesOf(sql`audit_unsummed_postings`)} l`,
  ],
  [
    sql`audit_sealed_postings`,
    sql`
      select distinct on (x.company_id, x.number) x.* from audit_seals s
      cross join lateral (
        select * from postings i
        where i.company_id = s.company_id and i.number <= s.number and i.number > least(
          s.number / ${stretchSize} * ${stretchSize},
          coalesce((select g.totalled_to from statement_progress g where g.company_id = s.company_id), 0))
        offset 0) x`,
  ],
  [sql`audit_sealed_lines`, sql`select * from ${statementLinesOf(sql`audit_sealed_postings`)} l`],
];
