import type { Company } from "../companies/company.ts";
import {
  SubCompaniesUnusable,
  SubCompanyInactive,
  SubCompanyNotFound,
} from "../companies/errors.ts";
import { IdempotencyKeyReused } from "../http/errors.ts";
import type { IdempotencyKey, StoredAnswer } from "../http/idempotency.ts";
import { feeOf } from "../kernel/amount.ts";
import { newUuid, timeOfUuid } from "../kernel/ids.ts";
import { InsufficientFunds } from "../ledger/post.ts";
import type { BatchWithTransfers } from "./batch.ts";
import { DuplicateReference } from "./errors.ts";
import type { SubmissionLanes } from "./submission-lanes.ts";
import type { Refusal, Submission } from "./submit-store.ts";
import { toBatchSummary, toTransaction } from "./transaction.ts";
import type { Transfer } from "./transfer.ts";

export interface NewTransfer {
  readonly reference: string;
  readonly msisdn: string;
  readonly amount: number;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly subCompanyId: string | null;
}

const created = 201;

/**
 * Accepts a transfer: reserves the money and leaves the sending to the worker. What it answers was
 * committed before; what it throws changed nothing, unless it is OutcomeUnknown.
 */
export async function createTransfer(
  lanes: SubmissionLanes,
  now: Date,
  company: Company,
  request: NewTransfer,
  key?: IdempotencyKey,
): Promise<StoredAnswer> {
  const transfer = toTransfer(company, now, request, null);
  const body = JSON.stringify(toTransaction(transfer));
  const refusal = await lanes.submit(company.id, { transfer, key, response: key && body });
  if (refusal === null) return { statusCode: created, body, isReplay: false };
  return replayed(refusal) ?? refuse(refusal, request.reference);
}

/** Accepts a batch: every row or none. */
export async function createBatch(
  lanes: SubmissionLanes,
  now: Date,
  company: Company,
  request: { readonly subCompanyId: string | null; readonly rows: readonly NewTransfer[] },
  key?: IdempotencyKey,
): Promise<StoredAnswer> {
  await refuseRepeated(lanes, company, request.rows);
  const batch = toBatch(company, now, request);
  const body = JSON.stringify(toBatchAnswer(batch));
  const submissions = batch.transfers.map((transfer, index): Submission => {
    // The key stands on the first row: it is the batch that is repeated, not each of its rows.
    const isFirst = index === 0 && key !== undefined;
    return { transfer, key: isFirst ? key : undefined, response: isFirst ? body : undefined };
  });
  const refusals = await lanes.submitBatch(company.id, batch, submissions);
  const [first] = refusals;
  if (first === undefined) return { statusCode: created, body, isReplay: false };
  return replayed(first) ?? refuseBatch(refusals, request.rows);
}

/** The batch as the API shows it at creation: all its transactions with it. */
export function toBatchAnswer(batch: BatchWithTransfers) {
  return { ...toBatchSummary(batch), transactions: batch.transfers.map(toTransaction) };
}

function toTransfer(
  company: Company,
  now: Date,
  request: NewTransfer,
  batchId: string | null,
): Transfer {
  const id = newUuid(now.getTime());
  const createdAt = new Date(timeOfUuid(id));
  // Field by field: a spread of the request costs more than the rest of this function.
  return {
    id,
    reference: request.reference,
    msisdn: request.msisdn,
    amount: request.amount,
    description: request.description,
    metadata: request.metadata,
    subCompanyId: request.subCompanyId,
    fee: feeOf(request.amount, company.transferFee),
    batchId,
    status: "pending",
    failureReason: null,
    createdAt,
    updatedAt: createdAt,
  };
}

function toBatch(
  company: Company,
  now: Date,
  request: { readonly subCompanyId: string | null; readonly rows: readonly NewTransfer[] },
): BatchWithTransfers {
  const id = newUuid(now.getTime());
  const transfers = request.rows.map((row) =>
    toTransfer(
      company,
      now,
      { ...row, subCompanyId: row.subCompanyId ?? request.subCompanyId },
      id,
    ),
  );
  const createdAt = new Date(timeOfUuid(id));
  return {
    id,
    subCompanyId: request.subCompanyId,
    totalAmount: transfers.reduce((sum, { amount }) => sum + amount, 0),
    totalFee: transfers.reduce((sum, { fee }) => sum + fee, 0),
    size: transfers.length,
    completedCount: 0,
    failedCount: 0,
    status: "processing",
    createdAt,
    updatedAt: createdAt,
    transfers,
  };
}

function replayed(refusal: Refusal): StoredAnswer | undefined {
  if (refusal.problem !== "replayed") return undefined;
  return {
    statusCode: refusal.status_code ?? created,
    body: refusal.response ?? "",
    isReplay: true,
  };
}

function refuse(refusal: Refusal, reference: string): never {
  switch (refusal.problem) {
    case "duplicate_reference":
      throw DuplicateReference.single(reference, refusal.existing_id ?? "");
    case "insufficient_funds":
      throw new InsufficientFunds();
    case "sub_company_not_found":
      throw new SubCompanyNotFound();
    case "sub_company_inactive":
      throw new SubCompanyInactive();
    case "idempotency_key_reused":
      throw new IdempotencyKeyReused();
    case "replayed":
      throw new Error("a replay is an answer, not a refusal");
  }
}

/** Rows whose reference stands twice in the batch are named together with those whose reference is used. */
async function refuseRepeated(
  lanes: SubmissionLanes,
  company: Company,
  rows: readonly NewTransfer[],
): Promise<void> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, { reference }] of rows.entries()) {
    if (seen.has(reference)) repeated.add(index);
    seen.add(reference);
  }
  if (repeated.size === 0) return;
  const used = await lanes.findUsedReferences(company.id, [...seen]);
  throw DuplicateReference.inBatch(
    rows.flatMap(({ reference }, index) => {
      const existingId = used.get(reference);
      return repeated.has(index) || existingId !== undefined
        ? [{ index, reference, existingId }]
        : [];
    }),
  );
}

/** What is wrong with the request comes before what is wrong with the balance. */
function refuseBatch(refusals: readonly Refusal[], rows: readonly NewTransfer[]): never {
  const [first] = refusals;
  if (first?.place === 0 || first?.problem === "idempotency_key_reused") return refuse(first, "");
  const subCompanies = refusals.filter(({ problem }) => problem.startsWith("sub_company"));
  if (subCompanies.length > 0) {
    throw new SubCompaniesUnusable(
      subCompanies.map(({ place, problem }) => ({ index: place - 1, problem })),
    );
  }
  const duplicates = refusals.filter(({ problem }) => problem === "duplicate_reference");
  if (duplicates.length > 0) {
    throw DuplicateReference.inBatch(
      duplicates.map(({ place, existing_id }) => ({
        index: place - 1,
        reference: rows[place - 1]?.reference ?? "",
        existingId: existing_id ?? undefined,
      })),
    );
  }
  throw new InsufficientFunds();
}
