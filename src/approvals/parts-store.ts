import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** What was made of some of a proposal's rows. */
export interface Part {
  readonly firstRow: number;
  readonly rowTotal: number;
  /** A batch, a transfer or a refund. */
  readonly madeId: string;
}

/** Writes down what was made, and that its rows are behind us: the state moves on in the same breath. */
export async function insertPart(
  tx: Tx,
  companyId: string,
  proposalId: string,
  part: Part,
): Promise<void> {
  await tx.query(sql`
    insert into proposal_parts (company_id, proposal_id, first_row, row_count, made_id)
    values (${companyId}, ${proposalId}, ${part.firstRow}, ${part.rowTotal}, ${part.madeId})`);
}

export async function moveOn(
  tx: Tx,
  companyId: string,
  proposalId: string,
  doneRows: number,
): Promise<void> {
  await tx.query(sql`
    update proposal_states set done_rows = ${doneRows}, changed_at = now(),
      state = case when row_count = ${doneRows} then 'carried_out'::proposal_state else state end
    where company_id = ${companyId} and proposal_id = ${proposalId}`);
}

export async function selectParts(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<Part[]> {
  return database.query<Part>(sql`
    select first_row as "firstRow", row_count as "rowTotal", made_id as "madeId" from proposal_parts
    where company_id = ${companyId} and proposal_id = ${proposalId} order by first_row`);
}

/** Of what proposal something is a part; undefined: no person made it. */
export async function selectProposalOf(
  database: Queryable,
  companyId: string,
  madeId: string,
): Promise<string | undefined> {
  const rows = await database.query<{ proposal_id: string }>(sql`
    select proposal_id from proposal_parts where company_id = ${companyId} and made_id = ${madeId}`);
  return rows[0]?.proposal_id;
}

/** A row that is passed over, counted from 0, and why. */
export interface Gap {
  readonly row: number;
  readonly reason: string;
}

export async function insertGaps(
  tx: Tx,
  companyId: string,
  proposalId: string,
  gaps: readonly Gap[],
): Promise<void> {
  await tx.query(sql`
    insert into proposal_gaps as g (company_id, proposal_id, row, reason)
    select p.company_id, p.id, x.row, x.reason
    from proposals p,
      unnest(${gaps.map(({ row }) => row)}::integer[], ${gaps.map(({ reason }) => reason)}::text[]) as x(row, reason)
    where p.company_id = ${companyId} and p.id = ${proposalId}
    on conflict (company_id, proposal_id, row) do nothing`);
}

export async function selectGaps(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<Gap[]> {
  return database.query<Gap>(sql`
    select row, reason from proposal_gaps
    where company_id = ${companyId} and proposal_id = ${proposalId} order by row`);
}
