import { createHash } from "node:crypto";
import type { PaymentRow } from "../approvals/content.ts";
import { findGaps, findParts, getContent } from "../approvals/find-proposals.ts";
import type { Proposal } from "../approvals/proposal.ts";
import type { Database } from "../database/database.ts";
import { timeOfUuid } from "../kernel/ids.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import { Turns } from "../kernel/turns.ts";
import { headings, type PayoutColumns, readHeader } from "../payouts/columns.ts";
import { notSent, outcomeOf, type PayoutOutcome } from "../payouts/follow-payouts.ts";
import { outcomeHeadings, outcomeRow } from "../payouts/outcome-file.ts";
import { chunksOf, referencesAtOnce } from "../payouts/paymaster.ts";
import type { Row } from "../spreadsheets/cell.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import { csvWriter } from "../spreadsheets/write-csv.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import type { Batch } from "../transfers/batch.ts";
import { findByReferences, getBatchSummary } from "../transfers/find-transfers.ts";
import { rowsWrittenAtOnce } from "./draft.ts";
import { DraftNotReady } from "./errors.ts";
import { findDraftOf, keepRows } from "./keep-drafts.ts";
import { toSent } from "./own-inquiry.ts";

/** How far a payroll is. */
export interface PayrollProgress {
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  /** Rows whose reference somebody used meanwhile. */
  readonly passedOver: number;
  readonly notSent: number;
  readonly completedAmount: number;
  readonly failedAmount: number;
  /** When the first batch was made; null: none was. */
  readonly startedAt: Date | null;
  /** When something happened last. */
  readonly updatedAt: Date;
  /** Nothing more will happen to it. */
  readonly isOver: boolean;
}

/** From the counts that its batches keep: as quick for ten rows as for all of them. */
export async function findProgress(
  database: Database,
  companyId: string,
  { id, rowTotal, doneRows, state, changedAt }: Proposal,
): Promise<PayrollProgress> {
  const parts = await findParts(database, companyId, id);
  const passedOver = (await findGaps(database, companyId, id)).filter(({ row }) => row < doneRows);
  const batches: Batch[] = [];
  for (const { madeId } of parts) batches.push(await getBatchSummary(database, companyId, madeId));
  const sum = (valueOf: (batch: Batch) => number) =>
    batches.reduce((total, batch) => total + valueOf(batch), 0);
  const [completed, failed] = [sum((one) => one.completedCount), sum((one) => one.failedCount)];
  const pending = sum(({ size }) => size) - completed - failed;
  const [first] = parts;
  return {
    completed,
    failed,
    pending,
    passedOver: passedOver.length,
    notSent: rowTotal - doneRows,
    completedAmount: sum((one) => one.completedAmount),
    failedAmount: sum((one) => one.failedAmount),
    startedAt: first === undefined ? null : new Date(timeOfUuid(first.madeId)),
    updatedAt: batches.reduce(
      (newest, { updatedAt }) => (updatedAt > newest ? updatedAt : newest),
      changedAt,
    ),
    isOver: pending === 0 && !["waiting", "approved", "stopped"].includes(state),
  };
}

/** A row of what was asked for, and what became of it. */
interface Followed {
  readonly row: PaymentRow;
  readonly outcome: PayoutOutcome;
}

async function* follow(
  database: Database,
  companyId: string,
  { id, doneRows }: Proposal,
): AsyncGenerator<Followed> {
  const content = await getContent(database, companyId, id);
  if (content.kind === "refund") return;
  const gaps = new Map(
    (await findGaps(database, companyId, id)).map(({ row, reason }) => [row, reason]),
  );
  let place = 0;
  for (const chunk of chunksOf(content.rows, referencesAtOnce)) {
    const references = chunk.map(({ reference }) => reference);
    const found = await findByReferences(database, companyId, references);
    const sent = new Map(
      found.map((transfer) => [referenceKey(transfer.reference), toSent(transfer)]),
    );
    for (const row of chunk) {
      const gap = gaps.get(place);
      const isSent = place < doneRows && gap === undefined;
      yield {
        row,
        outcome: isSent
          ? outcomeOf(
              { ...row, line: row.line ?? 0, hasOwnReference: true },
              sent.get(referenceKey(row.reference)),
            )
          : { ...notSent, reason: gap ?? null },
      };
      place += 1;
    }
  }
}

/** Why a row of the file is not among those that were handed in. */
const leftOut = "LEFT_OUT";

/** The rows of the file that was sent, each with what became of it. */
export async function outcomeFile(
  database: Database,
  companyId: string,
  proposal: Proposal,
): Promise<AsyncIterable<Buffer>> {
  const { columns, rows } = await tableOf(database, companyId, proposal);
  const header = [...columns.header, ...outcomeHeadings[columns.language]];
  async function* sets(): AsyncGenerator<readonly Row[]> {
    const followed = follow(database, companyId, proposal);
    let next = await followed.next();
    const turns = new Turns();
    for (const chunk of chunksOf(rows, rowsWrittenAtOnce)) {
      if (turns.isOver) await turns.next();
      const set: Row[] = [];
      for (const { line, cells } of chunk) {
        const current = next.value as Followed | undefined;
        if (next.done !== true && current?.row.line === line) {
          set.push(outcomeRow(columns, cells, current.row, current.outcome));
          next = await followed.next();
        } else {
          set.push(outcomeRow(columns, cells, undefined, { ...notSent, reason: leftOut }));
        }
      }
      yield set;
    }
  }
  return csvWriter(header, sets(), "excel-fr");
}

interface PayrollTable {
  readonly columns: PayoutColumns;
  readonly rows: readonly TableRow[];
}

/** As it was sent; once that is forgotten, with the columns that were paid by. */
async function tableOf(
  database: Database,
  companyId: string,
  { id }: Proposal,
): Promise<PayrollTable> {
  const draft = await findDraftOf(database, companyId, id);
  const [head, ...rows] = draft?.rows ?? [];
  const read = head && readHeader(head.line, head.cells);
  if (read !== undefined && "columns" in read) return { columns: read.columns, rows };
  const content = await getContent(database, companyId, id);
  const fields = ["phone", "amount", "reference", "description"] as const;
  const header = fields.map((field) => headings.fr[field][0] ?? field);
  return {
    columns: { header, phone: 0, amount: 1, reference: 2, description: 3, language: "fr" },
    rows:
      content.kind === "refund"
        ? []
        : content.rows.map(({ line, msisdn, amount, reference, description }) => ({
            line: line ?? 0,
            cells: [msisdn, String(amount), reference, description ?? ""],
          })),
  };
}

/**
 * A new draft of the rows that failed. A row's reference is made from the transfer that failed, so that each failure can be
 * made good once: two drafts of the same failure pay one of them.
 */
export async function retryFailed(
  database: Database,
  companyId: string,
  by: ConsolePerson,
  proposal: Proposal,
  subCompanyId: string | null,
): Promise<string> {
  const { columns, rows } = await tableOf(database, companyId, proposal);
  const byLine = new Map(rows.map((row) => [row.line, row.cells]));
  const reference = columns.reference ?? columns.header.length;
  const header =
    columns.reference === undefined ? [...columns.header, "reference"] : [...columns.header];
  const failed: TableRow[] = [];
  for await (const { row, outcome } of follow(database, companyId, proposal)) {
    if (outcome.status !== "failed" || outcome.id === null || row.line === null) continue;
    const cells = header.map((_, place) => byLine.get(row.line ?? 0)?.[place] ?? "");
    cells[columns.amount] = String(row.amount);
    cells[reference] = `retry-${outcome.id}`;
    failed.push({ line: row.line, cells });
  }
  if (failed.length === 0) throw new DraftNotReady();
  const all = [{ line: 1, cells: header }, ...failed];
  const fileHash = createHash("sha256").update(JSON.stringify(all)).digest();
  const about = { name: `↻ ${proposal.title}`, fileHash, retryOf: proposal.id, subCompanyId };
  return keepRows(database, companyId, by, about, all);
}
