import { toPublicId } from "../kernel/ids.ts";
import { Turns } from "../kernel/turns.ts";
import { type Topic, toPayload } from "../webhooks/event.ts";
import type { Batch, BatchWithTransfers } from "./batch.ts";
import { asAccepted, createdAtOf, serviceReferenceOf, type Transfer } from "./transfer.ts";
import { toTransferText } from "./transfer-text.ts";

/** A transfer as the API shows it, where it is called a transaction. */
export function toTransferResource(transfer: Transfer) {
  const createdAt = createdAtOf(transfer).toISOString();
  return {
    id: toPublicId("txn", transfer.id),
    amount: transfer.amount,
    fee: transfer.fee,
    totalAmount: transfer.amount + transfer.fee,
    msisdn: transfer.msisdn,
    status: transfer.status,
    reference: transfer.reference,
    serviceTransactionReference: serviceReferenceOf(transfer),
    type: "transfer",
    ...(transfer.batchId === null ? {} : { batchId: toPublicId("bat", transfer.batchId) }),
    createdAt,
    updatedAt: transfer.endedAt?.toISOString() ?? createdAt,
    failureReason: transfer.failureReason,
    metadata: transfer.metadata === null ? null : (JSON.parse(transfer.metadata) as object),
    description: transfer.description,
    ...(transfer.subCompanyId === null
      ? {}
      : { subCompanyId: toPublicId("subco", transfer.subCompanyId) }),
  };
}

export function toBatchSummary(batch: Batch) {
  return {
    id: toPublicId("bat", batch.id),
    createdAt: createdAtOf(batch).toISOString(),
    updatedAt: batch.updatedAt.toISOString(),
    totalAmount: batch.totalAmount,
    totalFee: batch.totalFee,
    status: batch.status,
    ...(batch.subCompanyId === null
      ? {}
      : { subCompanyId: toPublicId("subco", batch.subCompanyId) }),
    count: batch.size,
    completedCount: batch.completedCount,
    failedCount: batch.failedCount,
    completedAmount: batch.completedAmount,
    failedAmount: batch.failedAmount,
    completedFee: batch.completedFee,
  };
}

/**
 * A batch with its transactions as JSON, as at its creation and when it is read alone. Written in turns: ten
 * thousand rows in one go would hold everybody up.
 */
export async function toBatchText(batch: BatchWithTransfers): Promise<string> {
  const turns = new Turns();
  const rows: string[] = [];
  for (const transfer of batch.transfers) {
    if (turns.isOver) await turns.next();
    rows.push(toTransferText(transfer));
  }
  // Only said when it is so: whoever sent the batch has seen all its rows.
  const isCut = batch.transfers.length < batch.size;
  const summary = JSON.stringify({
    ...toBatchSummary(batch),
    ...(isCut ? { transactionsTruncated: true } : {}),
  });
  return `${summary.slice(0, -1)},"transactions":[${rows.join(",")}]}`;
}

/** The notification of a topic about a transfer: exactly the fields the interface lists. */
export function toTransferPayload(topic: Topic, found: Transfer): string {
  const transfer = topic === "transactions/started" ? asAccepted(found) : found;
  const createdAt = createdAtOf(transfer).toISOString();
  return toPayload(topic, {
    id: toPublicId("txn", transfer.id),
    status: transfer.status,
    amount: transfer.amount,
    msisdn: transfer.msisdn,
    description: transfer.description,
    type: "transfer",
    reference: transfer.reference,
    fee: transfer.fee,
    totalAmount: transfer.amount + transfer.fee,
    failureReason: transfer.failureReason,
    createdAt,
    updatedAt: transfer.endedAt?.toISOString() ?? createdAt,
    ...(transfer.endedAt !== null && transfer.batchId !== null
      ? { batchId: toPublicId("bat", transfer.batchId) }
      : {}),
    ...(transfer.status === "completed"
      ? { serviceTransactionReference: serviceReferenceOf(transfer) }
      : {}),
  });
}
