import type { Database, Queryable, Tx } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { type Query, sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import {
  type Proposal,
  type ProposalKind,
  type ProposalState,
  type Verdict,
  waitingDays,
} from "./proposal.ts";

/** Where companies with something to carry out are marked in the table `work`. */
export const proposalQueue = "proposals";

interface ProposalRow {
  readonly id: string;
  readonly kind: ProposalKind;
  readonly title: string;
  readonly content_hash: Buffer;
  readonly made_by: string;
  readonly hands: string[];
  readonly row_count: number;
  readonly total_amount: number;
  readonly total_fee: number;
  readonly price: number | null;
  readonly needs_approval: boolean;
  readonly state: ProposalState;
  /** It still says waiting, and its time is over. */
  readonly is_expired: boolean;
  readonly done_rows: number;
  readonly problem: string | null;
  readonly changed_at: Date;
  readonly verdict: Verdict | null;
  readonly decided_by: string | null;
  readonly comment: string | null;
  readonly decided_at: Date | null;
}

/** Of a proposal `s` that waits: somebody can still decide about it. */
const isInTime = sql`time_of_id(s.proposal_id) > now() - make_interval(days => ${waitingDays})`;

const columns = sql`
  p.id, p.kind, p.title, p.content_hash, p.made_by, p.hands, p.row_count, p.total_amount, p.total_fee, p.price,
  p.needs_approval, s.state, s.done_rows, s.problem, s.changed_at, a.verdict, a.decided_by, a.comment, a.decided_at,
  s.state = 'waiting' and not ${isInTime} as is_expired`;
const joined = sql`
  join proposal_states s on s.company_id = p.company_id and s.proposal_id = p.id
  left join approvals a on a.company_id = p.company_id and a.proposal_id = p.id`;

export interface NewProposal {
  readonly id: string;
  readonly kind: ProposalKind;
  readonly title: string;
  readonly content: Buffer;
  readonly contentHash: Buffer;
  readonly madeBy: string;
  readonly hands: readonly string[];
  readonly rowTotal: number;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly price: number | null;
  readonly aloneLeft: number;
  readonly needsApproval: boolean;
  readonly fileHash: Buffer | null;
  readonly formId: string;
}

export async function insertProposal(
  tx: Tx,
  companyId: string,
  proposal: NewProposal,
): Promise<void> {
  await tx.query(sql`
    insert into proposals (
      company_id, id, kind, title, content, content_hash, made_by, hands, row_count, total_amount, total_fee, price,
      alone_left, needs_approval, file_hash, form_id)
    values (
      ${companyId}, ${proposal.id}, ${proposal.kind}, ${proposal.title}, ${proposal.content}, ${proposal.contentHash},
      ${proposal.madeBy}, ${proposal.hands}::uuid[], ${proposal.rowTotal}, ${proposal.totalAmount}, ${proposal.totalFee},
      ${proposal.price}, ${proposal.aloneLeft}, ${proposal.needsApproval}, ${proposal.fileHash}, ${proposal.formId})`);
  await tx.query(sql`
    insert into proposal_states (company_id, proposal_id, needs_approval, row_count, state)
    values (
      ${companyId}, ${proposal.id}, ${proposal.needsApproval}, ${proposal.rowTotal},
      ${proposal.needsApproval ? "waiting" : "approved"})`);
}

export async function selectByForm(
  database: Queryable,
  companyId: string,
  formId: string,
): Promise<string | undefined> {
  const rows = await database.query<{ id: string }>(sql`
    select id from proposals where company_id = ${companyId} and form_id = ${formId}`);
  return rows[0]?.id;
}

export async function selectProposal(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Proposal | undefined> {
  const rows = await database.query<ProposalRow>(sql`
    select ${columns} from proposals p ${joined} where p.company_id = ${companyId} and p.id = ${id}`);
  return rows[0] && toProposal(rows[0]);
}

/** What somebody asked for and no other has approved, waiting or stopped; nobody else changes it until the commit. */
export async function lockUnapproved(
  tx: Tx,
  companyId: string,
  personId: string,
): Promise<{ readonly id: string; readonly doneRows: number }[]> {
  const waiting = await tx.query<{ id: string; doneRows: number }>(sql`
    select p.id, s.done_rows as "doneRows"
    from proposal_states s join proposals p on p.company_id = s.company_id and p.id = s.proposal_id
    where s.company_id = ${companyId} and s.state = 'waiting' and p.made_by = ${personId}
    order by p.id for update of s`);
  const stopped = await tx.query<{ id: string; doneRows: number }>(sql`
    select p.id, s.done_rows as "doneRows"
    from proposals p join proposal_states s on s.company_id = p.company_id and s.proposal_id = p.id
    where p.company_id = ${companyId} and p.made_by = ${personId} and not p.needs_approval and s.state = 'stopped'
    order by p.id for update of s`);
  return [...waiting, ...stopped];
}

/** The same, and nobody else decides about it or carries it out until the commit. */
export async function lockProposal(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<{ readonly proposal: Proposal; readonly price: number | null } | undefined> {
  const rows = await tx.query<ProposalRow>(sql`
    select ${columns} from proposals p ${joined}
    where p.company_id = ${companyId} and p.id = ${id} for update of s`);
  return rows[0] && { proposal: toProposal(rows[0]), price: rows[0].price };
}

export async function selectContent(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Buffer | undefined> {
  const rows = await database.query<{ content: Buffer }>(sql`
    select content from proposals where company_id = ${companyId} and id = ${id}`);
  return rows[0]?.content;
}

/** Newest first. */
export async function selectProposalPage(
  database: Queryable,
  companyId: string,
  filter: { readonly kind?: ProposalKind | undefined; readonly isWaiting?: boolean | undefined },
  page: PageRequest,
): Promise<Proposal[]> {
  const ofKind: Query = filter.kind === undefined ? sql`true` : sql`p.kind = ${filter.kind}`;
  const rows = filter.isWaiting
    ? await database.query<ProposalRow>(sql`
        select ${columns} from proposal_states s
        join proposals p on p.company_id = s.company_id and p.id = s.proposal_id
        left join approvals a on a.company_id = p.company_id and a.proposal_id = p.id
        where s.company_id = ${companyId} and s.state = 'waiting' and ${isInTime} and ${ofKind}
          and ${pageOf(page, sql`s.proposal_id`)}`)
    : await database.query<ProposalRow>(sql`
        select ${columns} from proposals p ${joined}
        where p.company_id = ${companyId} and ${ofKind} and ${pageOf(page, sql`p.id`)}`);
  return rows.map(toProposal);
}

export async function countWaiting(
  database: Queryable,
  companyId: string,
  max: number,
): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select 1 from proposal_states s
      where s.company_id = ${companyId} and s.state = 'waiting' and ${isInTime} limit ${max}) as w`);
  return rows[0]?.count ?? 0;
}

/** Earlier payrolls of the very same file, newest first. */
export async function selectByFile(
  database: Queryable,
  companyId: string,
  fileHash: Buffer,
  limit: number,
): Promise<Proposal[]> {
  const rows = await database.query<ProposalRow>(sql`
    select ${columns} from proposals p ${joined}
    where p.company_id = ${companyId} and p.file_hash = ${fileHash} order by p.id desc limit ${limit}`);
  return rows.map(toProposal);
}

export interface NewDecision {
  readonly verdict: Verdict;
  readonly contentHash: Buffer;
  readonly hands: readonly string[];
  /** Who let in whoever decides. */
  readonly introducers: readonly string[];
  readonly decidedBy: string;
  readonly decidedAt: Date;
  readonly comment: string | null;
}

/** The database refuses a second decision, a hash that is another's, whoever had a hand in it, and whoever was let in by one of them. */
export async function insertDecision(
  tx: Tx,
  companyId: string,
  proposalId: string,
  decision: NewDecision,
): Promise<void> {
  await tx.query(sql`
    insert into approvals (
      company_id, proposal_id, verdict, content_hash, hands, introducers, decided_by, decided_at, comment)
    values (
      ${companyId}, ${proposalId}, ${decision.verdict}, ${decision.contentHash}, ${decision.hands}::uuid[],
      ${decision.introducers}::uuid[], ${decision.decidedBy}, ${decision.decidedAt}, ${decision.comment})`);
  await tx.query(sql`
    update proposal_states set state = ${decision.verdict}::text::proposal_state, verdict = ${decision.verdict}, changed_at = now()
    where company_id = ${companyId} and proposal_id = ${proposalId}`);
}

export async function updateState(
  tx: Tx,
  companyId: string,
  proposalId: string,
  state: ProposalState,
  problem: string | null = null,
): Promise<void> {
  await tx.query(sql`
    update proposal_states set state = ${state}, problem = ${problem}, changed_at = now()
    where company_id = ${companyId} and proposal_id = ${proposalId}`);
}

/** Lets lapse what nobody has decided about in time, so many at most; answers how many there were. */
export async function updateExpired(
  database: Database,
  companyId: string,
  limit: number,
): Promise<number> {
  const rows = await database.execute(sql`
    update proposal_states set state = 'lapsed', problem = 'expired', changed_at = now()
    where company_id = ${companyId} and state = 'waiting' and proposal_id in (
      select s.proposal_id from proposal_states s
      where s.company_id = ${companyId} and s.state = 'waiting' and not ${isInTime} order by s.proposal_id limit ${limit})
    returning proposal_id`);
  return rows.length;
}

export async function markProposalWork(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`
    insert into work as w (company_id, queue, ready_at) values (${companyId}, ${proposalQueue}, now())
    on conflict (company_id, queue) do update set ready_at = least(w.ready_at, excluded.ready_at)`);
}

/** What was approved and is not carried out yet, the oldest first. */
export async function selectToCarryOut(
  database: Database | Tx,
  companyId: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ proposal_id: string }>(sql`
    select proposal_id from proposal_states
    where company_id = ${companyId} and state = 'approved' order by proposal_id limit ${limit}`);
  return rows.map(({ proposal_id }) => proposal_id);
}

function toProposal(row: ProposalRow): Proposal {
  const { verdict, decided_by: decidedBy, comment, decided_at: decidedAt } = row;
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    hash: row.content_hash.toString("hex"),
    madeBy: row.made_by,
    hands: row.hands,
    rowTotal: row.row_count,
    totalAmount: row.total_amount,
    totalFee: row.total_fee,
    needsApproval: row.needs_approval,
    decision:
      verdict === null || decidedBy === null || decidedAt === null
        ? null
        : { verdict, decidedBy, comment, decidedAt },
    doneRows: row.done_rows,
    changedAt: row.changed_at,
    ...(row.is_expired
      ? { state: "lapsed", problem: "expired" }
      : { state: row.state, problem: row.problem }),
  } as Proposal;
}
