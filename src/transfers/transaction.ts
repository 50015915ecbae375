import { toPublicId } from "../kernel/ids.ts";
import { type Topic, toPayload } from "../webhooks/event.ts";
import type { Batch } from "./batch.ts";
import { serviceReferenceOf, type Transfer } from "./transfer.ts";

/** "Transaction" is the API's word for a transfer: this is how one looks to the outside. */
export function toTransaction(transfer: Transfer) {
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
    createdAt: transfer.createdAt.toISOString(),
    updatedAt: transfer.updatedAt.toISOString(),
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
    createdAt: batch.createdAt.toISOString(),
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
  };
}

const topicOf = {
  pending: "transactions/started",
  completed: "transactions/completed",
  failed: "transactions/failed",
} as const satisfies Record<Transfer["status"], Topic>;

/** The notification for the state a transfer has just reached: exactly the fields the interface lists. */
export function toTransferPayload(transfer: Transfer): string {
  const isEnded = transfer.status !== "pending";
  return toPayload(topicOf[transfer.status], {
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
    createdAt: transfer.createdAt.toISOString(),
    updatedAt: transfer.updatedAt.toISOString(),
    ...(isEnded && transfer.batchId !== null
      ? { batchId: toPublicId("bat", transfer.batchId) }
      : {}),
    ...(transfer.status === "completed"
      ? { serviceTransactionReference: serviceReferenceOf(transfer) }
      : {}),
  });
}
