import { timeOfUuid } from "../kernel/ids.ts";
import { toServiceReference } from "../kernel/service-reference.ts";

export const failureReasons = [
  "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT",
  "SERVICE_ACCOUNT_NOT_FOUND",
  "INTERNAL_ERROR",
  "UNKNOWN_ERROR",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What a company asks for. */
export interface NewTransfer {
  readonly reference: string;
  /** As the caller wrote it. */
  readonly msisdn: string;
  readonly amount: number;
  readonly fee: number;
  readonly description: string | null;
  /** JSON text, so that what was given comes back as it was given. */
  readonly metadata: string | null;
  readonly subCompanyId: string | null;
}

/** What a transfer is from its creation on; none of it ever changes. */
export interface TransferFacts extends NewTransfer {
  /** The time inside it is when the transfer was created. */
  readonly id: string;
  readonly batchId: string | null;
}

/** One union member per state: a failed transfer has a reason, and only one that has ended has an end. */
export type Transfer = TransferFacts &
  (
    | { readonly status: "pending"; readonly failureReason: null; readonly endedAt: null }
    | { readonly status: "completed"; readonly failureReason: null; readonly endedAt: Date }
    | { readonly status: "failed"; readonly failureReason: FailureReason; readonly endedAt: Date }
  );

export const transferStatuses = ["pending", "completed", "failed"] as const;

/** A transfer that has just been accepted. Field by field: a spread costs as much as making its answer. */
export function pending(transfer: NewTransfer, id: string, batchId: string | null): Transfer {
  return {
    id,
    reference: transfer.reference,
    msisdn: transfer.msisdn,
    amount: transfer.amount,
    fee: transfer.fee,
    description: transfer.description,
    metadata: transfer.metadata,
    subCompanyId: transfer.subCompanyId,
    batchId,
    status: "pending",
    failureReason: null,
    endedAt: null,
  };
}

/** A transfer as it was when it was accepted, whatever became of it. */
export function asAccepted(transfer: TransferFacts): Transfer {
  return pending(transfer, transfer.id, transfer.batchId);
}

export function createdAtOf({ id }: Pick<TransferFacts, "id">): Date {
  return new Date(timeOfUuid(id));
}

/** The reference the recipient sees. */
export function serviceReferenceOf({ id }: Pick<TransferFacts, "id">): string {
  return toServiceReference(id);
}
