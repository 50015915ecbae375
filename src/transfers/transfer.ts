import { toServiceReference } from "../kernel/service-reference.ts";

export type FailureReason =
  | "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT"
  | "SERVICE_ACCOUNT_NOT_FOUND"
  | "INTERNAL_ERROR"
  | "UNKNOWN_ERROR";

export interface TransferFacts {
  readonly id: string;
  readonly reference: string;
  /** As the caller wrote it. */
  readonly msisdn: string;
  readonly amount: number;
  readonly fee: number;
  readonly description: string | null;
  /** JSON text, so that what was given comes back as it was given. */
  readonly metadata: string | null;
  readonly batchId: string | null;
  readonly subCompanyId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One union member per state: a failed transfer has a reason, and no other state can have one. */
export type Transfer = TransferFacts &
  (
    | { readonly status: "pending" | "completed"; readonly failureReason: null }
    | { readonly status: "failed"; readonly failureReason: FailureReason }
  );

export const transferStatuses = ["pending", "completed", "failed"] as const;

/** The reference the recipient sees. */
export function serviceReferenceOf(transfer: Pick<TransferFacts, "id">): string {
  return toServiceReference(transfer.id);
}
