import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { DraftSummary } from "./draft.ts";

interface DraftRow {
  readonly id: string;
  readonly name: string;
  readonly file_hash: Buffer;
  readonly version: number;
  readonly made_by: string;
  readonly hands: string[];
  readonly sub_company_id: string | null;
  readonly leaves_out: boolean;
  readonly allows_repeats: boolean;
  readonly retry_of: string | null;
  readonly proposal_id: string | null;
  readonly changed_at: Date;
}

export interface KeptDraft extends DraftSummary {
  readonly packed: Buffer;
}

const columns = sql`
  id, name, file_hash, version, made_by, hands, sub_company_id, leaves_out, allows_repeats, retry_of, proposal_id,
  changed_at`;

export async function insertDraft(
  tx: Tx,
  companyId: string,
  draft: Pick<DraftSummary, "id" | "name" | "fileHash" | "madeBy" | "retryOf" | "subCompanyId">,
  packed: Buffer,
): Promise<void> {
  await tx.query(sql`
    insert into payroll_drafts (company_id, id, name, file_hash, cells, made_by, hands, retry_of, sub_company_id)
    values (
      ${companyId}, ${draft.id}, ${draft.name}, ${draft.fileHash}, ${packed}, ${draft.madeBy},
      ${[draft.madeBy]}::uuid[], ${draft.retryOf}, ${draft.subCompanyId})`);
}

export async function countOpenDrafts(tx: Tx, companyId: string, max: number): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select 1 from payroll_drafts where company_id = ${companyId} and proposal_id is null limit ${max}) as d`);
  return rows[0]?.count ?? 0;
}

/** Those that were not handed in, newest first. */
export async function selectOpenDrafts(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<DraftSummary[]> {
  const rows = await database.query<DraftRow>(sql`
    select ${columns} from payroll_drafts
    where company_id = ${companyId} and proposal_id is null order by id desc limit ${limit}`);
  return rows.map(toDraft);
}

export async function selectDraft(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<KeptDraft | undefined> {
  const rows = await database.query<DraftRow & { cells: Buffer }>(sql`
    select ${columns}, cells from payroll_drafts where company_id = ${companyId} and id = ${id}`);
  return rows[0] && { ...toDraft(rows[0]), packed: rows[0].cells };
}

export async function selectDraftOf(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<KeptDraft | undefined> {
  const rows = await database.query<DraftRow & { cells: Buffer }>(sql`
    select ${columns}, cells from payroll_drafts
    where company_id = ${companyId} and proposal_id = ${proposalId} limit 1`);
  return rows[0] && { ...toDraft(rows[0]), packed: rows[0].cells };
}

/** Nobody else changes it or hands it in until the commit. */
export async function lockDraft(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<DraftSummary | undefined> {
  const rows = await tx.query<DraftRow>(sql`
    select ${columns} from payroll_drafts where company_id = ${companyId} and id = ${id} for update`);
  return rows[0] && toDraft(rows[0]);
}

export interface DraftChange {
  readonly hands: readonly string[];
  /** Undefined: as they are. */
  readonly packed: Buffer | undefined;
  readonly subCompanyId: string | null;
  readonly leavesOut: boolean;
  readonly allowsRepeats: boolean;
}

export async function updateDraft(
  tx: Tx,
  companyId: string,
  id: string,
  change: DraftChange,
): Promise<void> {
  await tx.query(sql`
    update payroll_drafts set version = version + 1, changed_at = now(), proposal_id = null,
      hands = ${change.hands}::uuid[], cells = coalesce(${change.packed ?? null}, cells),
      sub_company_id = ${change.subCompanyId}, leaves_out = ${change.leavesOut},
      allows_repeats = ${change.allowsRepeats}
    where company_id = ${companyId} and id = ${id}`);
}

export async function handIn(
  tx: Tx,
  companyId: string,
  id: string,
  proposalId: string,
): Promise<void> {
  await tx.query(sql`
    update payroll_drafts set proposal_id = ${proposalId}, changed_at = now()
    where company_id = ${companyId} and id = ${id}`);
}

export async function deleteDraft(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx.query(sql`delete from payroll_drafts where company_id = ${companyId} and id = ${id}`);
}

/**
 * Deletes drafts that nobody has touched for so long, a bounded number; returns how many. Those that were never handed in are few
 * and are looked at in their own index: by age they would be searched for among all that was paid since.
 */
export async function deleteOldDrafts(
  database: Database,
  companyId: string,
  days: { readonly open: number; readonly handedIn: number },
  limit: number,
): Promise<number> {
  const rows = await database.execute(sql`
    delete from payroll_drafts where company_id = ${companyId} and id = any (array(
      select id from (
        select id, changed_at from payroll_drafts
        where company_id = ${companyId} and proposal_id is null order by id limit ${limit}) as open
      where changed_at < now() - make_interval(days => ${days.open})
    ) || array(
      select id from payroll_drafts
      where company_id = ${companyId} and changed_at > '-infinity'
        and changed_at < now() - make_interval(days => ${days.handedIn})
      order by changed_at limit ${limit}))
    returning id`);
  return rows.length;
}

function toDraft(row: DraftRow): DraftSummary {
  return {
    id: row.id,
    name: row.name,
    fileHash: row.file_hash,
    version: row.version,
    madeBy: row.made_by,
    hands: row.hands,
    subCompanyId: row.sub_company_id,
    leavesOut: row.leaves_out,
    allowsRepeats: row.allows_repeats,
    retryOf: row.retry_of,
    proposalId: row.proposal_id,
    changedAt: row.changed_at,
  };
}
