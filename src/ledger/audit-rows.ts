import { type Query, sql } from "../database/sql.ts";

/**
 * What the checks of an audit read, by name: everything there is, or what came since the checkpoint that the audit continues from.
 * A check that reads a table by itself, and not from here, looks at all of it in both: right for small tables.
 */
export interface AuditRows {
  readonly postings: Query;
  readonly fundings: Query;
  readonly withdrawals: Query;
  readonly adjustments: Query;
  /** Made, ended or still open since. */
  readonly transfers: Query;
  readonly outcomes: Query;
  readonly heldTransfers: Query;
  readonly heldDecisions: Query;
  /** Batches of such transfers. */
  readonly batches: Query;
  /** Every transfer of those batches, with its outcome: company_id, batch_id, amount, fee, status. */
  readonly batched: Query;
  /** Made, changed or still due since. */
  readonly charges: Query;
  /** Every payment and refund of those charges, the earlier ones included. */
  readonly chargeTransactions: Query;
  /** Of those, the ones that came since. */
  readonly newChargeTransactions: Query;
  readonly walletEntries: Query;
  readonly events: Query;
  readonly seals: Query;
  readonly proposalParts: Query;
  /** Sums of statements, and for each that came since the one before it. */
  readonly statementTotals: Query;
  /** What such sums are made of: company_id, number, event, amount, fee, sub_company_id. */
  readonly statementLines: Query;
  /** The same of the days of `seals`, after the last sum before each of them. */
  readonly sealedLines: Query;

  /** How each company's books stood at the checkpoint: see `openingOfNothing`. Of everything: no row. */
  readonly opening: Query;
  /** Transfers whose money was reserved before the checkpoint, and which were pending then. Of everything: none. */
  readonly openBefore: Query;
  /** The shared trails as they stood then: trail, number, hash. Of everything: none. */
  readonly openingTrails: Query;
}

/** The columns of `opening`, where there is no checkpoint. */
const openingOfNothing = sql`(
  select company_id, last_posting as posting, chain, chained_after, available, in_flight, fees, external, paid_out,
    last_event as event, posted_at, company_id as transfer, company_id as charge, last_posting as totalled_to,
    last_posting as seal_number, last_posting as trail_number, chain as trail_hash, posted_at as taken_at
  from books where false)`;

/** What lines of a statement, and so its sums, take from the transfer or charge that a posting is for. */
export function statementLinesOf(postings: Query): Query {
  return sql`(
    select p.company_id, p.number, p.event::text as event,
      case when p.credit_account = 'available' then p.amount else -p.amount end as amount,
      coalesce(case when p.event = 'transfer.released' then -t.fee else t.fee end,
        case when p.event = 'charge.refunded' then -k.fee else k.fee end, 0) as fee,
      coalesce(t.sub_company_id, c.sub_company_id) as sub_company_id
    from ${postings} p
    left join transfers t on t.company_id = p.company_id and t.id = p.subject_id
      and p.event in ('transfer.reserved', 'transfer.released')
    left join charge_transactions k on k.company_id = p.company_id and k.id = p.subject_id and k.amount > 0
      and p.event in ('charge.paid', 'charge.refunded')
    left join charges c on c.company_id = k.company_id and c.id = k.charge_id
    where p.available_after is not null)`;
}

export const everything: AuditRows = {
  postings: sql`postings`,
  fundings: sql`fundings`,
  withdrawals: sql`withdrawals`,
  adjustments: sql`adjustments`,
  transfers: sql`transfers`,
  outcomes: sql`outcomes`,
  heldTransfers: sql`held_transfers`,
  heldDecisions: sql`held_decisions`,
  batches: sql`batches`,
  batched: sql`(
    select t.company_id, t.batch_id, t.amount, t.fee, o.status
    from transfers t left join outcomes o on o.company_id = t.company_id and o.id = t.id
    where t.batch_id is not null)`,
  charges: sql`charges`,
  chargeTransactions: sql`charge_transactions`,
  newChargeTransactions: sql`charge_transactions`,
  walletEntries: sql`wallet_entries`,
  events: sql`events`,
  seals: sql`seals`,
  proposalParts: sql`proposal_parts`,
  statementTotals: sql`statement_totals`,
  statementLines: statementLinesOf(sql`postings`),
  sealedLines: statementLinesOf(sql`postings`),
  opening: openingOfNothing,
  openBefore: sql`(select company_id, id from pending_transfers where false)`,
  openingTrails: sql`(select trail, number, hash from shared_trail_heads where false)`,
};
