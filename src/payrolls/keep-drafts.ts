import { getProposal } from "../approvals/find-proposals.ts";
import { proposalCan } from "../approvals/proposal.ts";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { packRows, unpackRows } from "./cells.ts";
import { type DraftSummary, draftIdPrefix, draftsMax, type PayrollDraft } from "./draft.ts";
import { DraftChanged, DraftClosed, DraftNotFound, TooManyDrafts } from "./errors.ts";
import type { ReadFile } from "./file-reader.ts";
import {
  countOpenDrafts,
  deleteDraft,
  deleteOldDrafts,
  insertDraft,
  type KeptDraft,
  lockDraft,
  selectDraft,
  selectDraftOf,
  selectOpenDrafts,
  updateDraft,
} from "./store.ts";

const nameMax = 120;

export async function createDraft(
  database: Database,
  companyId: string,
  by: ConsolePerson,
  file: ReadFile,
): Promise<string> {
  const { name, fileHash, packed } = file;
  const about = { name, fileHash, retryOf: null, subCompanyId: null };
  return keepPacked(database, companyId, by, about, packed);
}

export async function keepRows(
  database: Database,
  companyId: string,
  by: ConsolePerson,
  about: Pick<DraftSummary, "name" | "fileHash" | "retryOf" | "subCompanyId">,
  rows: readonly TableRow[],
): Promise<string> {
  return keepPacked(database, companyId, by, about, await packRows(rows));
}

async function keepPacked(
  database: Database,
  companyId: string,
  by: ConsolePerson,
  about: Pick<DraftSummary, "name" | "fileHash" | "retryOf" | "subCompanyId">,
  packed: Buffer,
): Promise<string> {
  return database.transactionOf(companyId, async (tx) => {
    const id = await nextId(tx, companyId, "payroll-drafts");
    if ((await countOpenDrafts(tx, companyId, draftsMax)) >= draftsMax)
      throw new TooManyDrafts(draftsMax);
    const name = about.name
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
      .trim()
      .slice(0, nameMax);
    const draft = { ...about, name: name === "" ? "?" : name, id, madeBy: by.personId };
    await insertDraft(tx, companyId, draft, packed);
    await recordHand(tx, companyId, id, by);
    return id;
  });
}

export async function getDraft(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<PayrollDraft> {
  const draft = id === undefined ? undefined : await selectDraft(database, companyId, id);
  if (draft === undefined) throw new DraftNotFound();
  return unpacked(draft);
}

/** What a payroll was made of; undefined once it is forgotten. */
export async function findDraftOf(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<PayrollDraft | undefined> {
  const draft = await selectDraftOf(database, companyId, proposalId);
  return draft && unpacked(draft);
}

export async function listOpenDrafts(
  database: Queryable,
  companyId: string,
): Promise<DraftSummary[]> {
  return selectOpenDrafts(database, companyId, draftsMax);
}

async function unpacked({ packed, ...draft }: KeptDraft): Promise<PayrollDraft> {
  return { ...draft, rows: await unpackRows(packed) };
}

export interface DraftEdit {
  readonly companyId: string;
  readonly draftId: string;
  /** That was looked at: whoever comes late is told so, instead of undoing what others did. */
  readonly version: number;
  readonly by: ConsolePerson;
  readonly rows?: readonly TableRow[];
  readonly leavesOut?: boolean;
  readonly allowsRepeats?: boolean;
  readonly subCompanyId?: string | null;
}

/** Changes a draft. Whoever does has a hand in it from then on. */
export async function changeDraft(database: Database, edit: DraftEdit): Promise<void> {
  const { companyId, draftId, by } = edit;
  const packed = edit.rows && (await packRows(edit.rows));
  await database.transactionOf(companyId, async (tx) => {
    const draft = await lockOpenDraft(tx, companyId, draftId, edit.version);
    if (!draft.hands.includes(by.personId)) await recordHand(tx, companyId, draftId, by);
    await updateDraft(tx, companyId, draftId, {
      packed,
      hands: [...new Set([...draft.hands, by.personId])],
      subCompanyId: edit.subCompanyId === undefined ? draft.subCompanyId : edit.subCompanyId,
      leavesOut: edit.leavesOut ?? draft.leavesOut,
      allowsRepeats: edit.allowsRepeats ?? draft.allowsRepeats,
    });
  });
}

/** Once for each person who has a hand in a draft: whoever has may not approve what comes of it, and the audit compares. */
function recordHand(tx: Tx, companyId: string, draftId: string, by: ConsolePerson): Promise<void> {
  const subject = toPublicId(draftIdPrefix, draftId);
  return recordForCompany(tx, companyId, by, { action: "payroll.prepared", subject });
}

export async function discardDraft(
  database: Database,
  companyId: string,
  draftId: string,
): Promise<void> {
  await database.transactionOf(companyId, async (tx) => {
    const draft = await lockDraft(tx, companyId, draftId);
    if (draft === undefined) throw new DraftNotFound();
    if (draft.proposalId !== null) throw new DraftClosed();
    await deleteDraft(tx, companyId, draftId);
  });
}

/** One that may still be changed: never handed in, or refused, withdrawn or lapsed with nobody paid. */
export async function lockOpenDraft(
  tx: Tx,
  companyId: string,
  draftId: string,
  version: number,
): Promise<DraftSummary> {
  const draft = await lockDraft(tx, companyId, draftId);
  if (draft === undefined) throw new DraftNotFound();
  if (draft.proposalId !== null) {
    const proposal = await getProposal(tx, companyId, draft.proposalId);
    if (!proposalCan.askAgain(proposal)) throw new DraftClosed();
  }
  if (draft.version !== version) throw new DraftChanged();
  return draft;
}

const forgetAtOnce = 100;
/** Days without a change: what was never handed in; what was, whose outcome file has the columns of its input so long. */
const daysKept = { open: 14, handedIn: 180 };

/** True when there may be more to forget. */
export async function forgetDrafts(database: Database, companyId: string): Promise<boolean> {
  return (await deleteOldDrafts(database, companyId, daysKept, forgetAtOnce)) >= forgetAtOnce;
}
