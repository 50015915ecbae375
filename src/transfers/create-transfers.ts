import type { Company } from "../companies/company.ts";
import {
  PriceChanged,
  SubCompaniesUnusable,
  SubCompanyInactive,
  SubCompanyNotFound,
} from "../companies/errors.ts";
import type { Database } from "../database/database.ts";
import { IdempotencyKeyReused } from "../idempotency/errors.ts";
import type { Answer, IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { feeOf } from "../kernel/amount.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import type { Refusal } from "../lanes/verdicts.ts";
import { InsufficientFunds } from "../ledger/errors.ts";
import { balancesOf } from "../ledger/post.ts";
import { quotaExceeded } from "../quotas/spend-quota.ts";
import type { SpanContext } from "../tracing/trace-parent.ts";
import { asCreated, type BatchWithTransfers } from "./batch.ts";
import { DuplicateReference } from "./errors.ts";
import { findUsedReferences, getBatch, getTransfer } from "./find-transfers.ts";
import type { Submission, TransferProblem } from "./submit-store.ts";
import { asAccepted, createdAtOf, type NewTransfer, pending, type Transfer } from "./transfer.ts";
import type { TransferLanes } from "./transfer-lanes.ts";
import { toBatchText } from "./transfer-resource.ts";
import { toTransferText } from "./transfer-text.ts";

/** What a company asks for; the fee follows from its contract. */
export type TransferRequest = Omit<NewTransfer, "fee">;

export interface BatchRequest {
  readonly subCompanyId: string | null;
  readonly rows: readonly TransferRequest[];
}

/** Where transfers are accepted, and where it is looked up what was accepted before. */
export interface Acceptance {
  readonly database: Database;
  readonly lanes: TransferLanes;
}

const created = 201;

/**
 * Accepts a transfer: reserves the money and leaves the sending to the worker. What it answers was committed before;
 * what it throws changed nothing, unless it is OutcomeUnknown. PriceChanged: judge it again, see `byCurrentPrice`.
 */
export async function createTransfer(
  acceptance: Acceptance,
  company: Company,
  request: TransferRequest,
  key?: IdempotencyKey,
  span?: SpanContext,
): Promise<Answer> {
  const { database, lanes } = acceptance;
  const transfer = withFee(company, request, request.subCompanyId);
  const submission = { transfer, key, priceNumber: company.priceNumber };
  const { id, refusal } = await lanes.submit(company.id, submission, span);
  if (refusal === undefined) return answer(pending(transfer, id, null), false);
  if (refusal.problem !== "replayed") return refuse(acceptance, company, refusal, [transfer]);
  return showTransferAgain(database, company.id, refusal.existingId ?? undefined);
}

/** The first answer once more. */
export async function showTransferAgain(
  database: Database,
  companyId: string,
  id: string | undefined,
): Promise<Answer> {
  return answer(asAccepted(await getTransfer(database, companyId, id)), true);
}

function answer(transfer: Transfer, isReplay: boolean): Answer {
  return { statusCode: created, body: toTransferText(transfer), isReplay };
}

/** Accepts a batch: every row or none. */
export async function createBatch(
  acceptance: Acceptance,
  company: Company,
  request: BatchRequest,
  key?: IdempotencyKey,
  span?: SpanContext,
): Promise<Answer> {
  const { database, lanes } = acceptance;
  await refuseRepeated(database, company, request.rows);
  const transfers = request.rows.map((row) =>
    withFee(company, row, row.subCompanyId ?? request.subCompanyId),
  );
  const submissions = transfers.map(
    // The key stands on the first row: it is the batch that is repeated, not each of its rows.
    (transfer, index): Submission => ({
      transfer,
      key: index === 0 ? key : undefined,
      priceNumber: company.priceNumber,
    }),
  );
  const verdict = await lanes.submitBatch(company.id, request, submissions, span);
  if ("id" in verdict)
    return batchAnswer(toBatch(verdict.id, request, transfers, verdict.rowIds), false);
  const [first] = verdict.refusals;
  if (first?.problem !== "replayed")
    return refuseBatch(acceptance, company, verdict.refusals, transfers);
  return showBatchAgain(database, company.id, first.existingId ?? undefined);
}

/** The first answer once more. */
export async function showBatchAgain(
  database: Database,
  companyId: string,
  id: string | undefined,
): Promise<Answer> {
  return batchAnswer(await getBatch(database, companyId, id), true);
}

async function batchAnswer(batch: BatchWithTransfers, isReplay: boolean): Promise<Answer> {
  const body = await toBatchText(isReplay ? asCreated(batch) : batch);
  return { statusCode: created, body, isReplay };
}

/** Field by field: a spread of the request costs more than the rest of this function. */
function withFee(
  company: Company,
  request: TransferRequest,
  subCompanyId: string | null,
): NewTransfer {
  return {
    reference: request.reference,
    msisdn: request.msisdn,
    amount: request.amount,
    fee: feeOf(request.amount, company.transferFee),
    description: request.description,
    metadata: request.metadata,
    subCompanyId,
  };
}

function toBatch(
  id: string,
  request: BatchRequest,
  transfers: readonly NewTransfer[],
  rowIds: readonly string[],
): BatchWithTransfers {
  return {
    id,
    subCompanyId: request.subCompanyId,
    totalAmount: transfers.reduce((sum, { amount }) => sum + amount, 0),
    totalFee: transfers.reduce((sum, { fee }) => sum + fee, 0),
    size: transfers.length,
    completedCount: 0,
    failedCount: 0,
    completedAmount: 0,
    failedAmount: 0,
    completedFee: 0,
    status: "processing",
    updatedAt: createdAtOf({ id }),
    transfers: transfers.map((transfer, index) => pending(transfer, rowIds[index] ?? "", id)),
  };
}

async function refuse(
  { database, lanes }: Acceptance,
  company: Company,
  { problem, existingId }: Refusal<TransferProblem>,
  transfers: readonly NewTransfer[],
): Promise<never> {
  switch (problem) {
    case "duplicate_reference":
      throw DuplicateReference.single(transfers[0]?.reference ?? "", existingId ?? "");
    case "insufficient_funds":
      throw new InsufficientFunds({
        needed: transfers.reduce((sum, { amount, fee }) => sum + amount + fee, 0),
        available: (await balancesOf(database, company.id)).available,
      });
    case "quota_exceeded":
      throw await quotaExceeded(database, company.id, {
        name: "unknown_recipients",
        max: lanes.limit.unknownPerDay,
      });
    case "sub_company_not_found":
      throw new SubCompanyNotFound();
    case "sub_company_inactive":
      throw new SubCompanyInactive();
    case "idempotency_key_reused":
      throw new IdempotencyKeyReused();
    case "price_changed":
      throw new PriceChanged();
    case "replayed":
      throw new Error("a replay is an answer, not a refusal");
  }
}

/** Rows whose reference stands twice in the batch are named together with those whose reference is used. */
async function refuseRepeated(
  database: Database,
  company: Company,
  rows: readonly TransferRequest[],
): Promise<void> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, { reference }] of rows.entries()) {
    const key = referenceKey(reference);
    if (seen.has(key)) repeated.add(index);
    seen.add(key);
  }
  if (repeated.size === 0) return;
  const used = await findUsedReferences(database, company.id, [...seen]);
  throw DuplicateReference.inBatch(
    rows.flatMap(({ reference }, index) => {
      const existingId = used.get(referenceKey(reference))?.id;
      return repeated.has(index) || existingId !== undefined ? [{ index, existingId }] : [];
    }),
  );
}

/** A problem of the batch itself comes first, then those of its rows, all of one kind together. */
async function refuseBatch(
  acceptance: Acceptance,
  company: Company,
  refusals: readonly Refusal<TransferProblem>[],
  transfers: readonly NewTransfer[],
): Promise<never> {
  const [first] = refusals;
  if (first === undefined) throw new Error("a batch that was refused has a reason");
  if (first.place === 0) return refuse(acceptance, company, first, transfers);
  if (first.problem === "duplicate_reference") {
    throw DuplicateReference.inBatch(
      refusals.map(({ place, existingId }) => ({
        index: place - 1,
        existingId: existingId ?? undefined,
      })),
    );
  }
  throw new SubCompaniesUnusable(
    refusals.map(({ place, problem }) => ({ index: place - 1, problem })),
  );
}
