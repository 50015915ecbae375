import { asAccepted, createdAtOf, type Transfer } from "./transfer.ts";

export const batchStatuses = ["processing", "completed", "partially_completed", "failed"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const batchRowsMax = 10_000;
/** So many of a batch's transfers are shown with it; all of them are a list of their own. */
export const batchRowsShown = 1_000;

/** Transfers accepted together, all or nothing; they settle one by one. */
export interface Batch {
  /** The time inside it is when the batch was created. */
  readonly id: string;
  readonly subCompanyId: string | null;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly size: number;
  readonly completedCount: number;
  readonly failedCount: number;
  /** Without fees, like totalAmount. */
  readonly completedAmount: number;
  readonly failedAmount: number;
  /** What the completed ones cost; the fees of the others went back. */
  readonly completedFee: number;
  readonly status: BatchStatus;
  readonly updatedAt: Date;
}

export interface BatchWithTransfers extends Batch {
  readonly transfers: readonly Transfer[];
}

/** A batch as it was when it was created, whatever has become of its transfers since. */
export function asCreated(batch: BatchWithTransfers): BatchWithTransfers {
  return {
    ...batch,
    completedCount: 0,
    failedCount: 0,
    completedAmount: 0,
    failedAmount: 0,
    completedFee: 0,
    status: "processing",
    updatedAt: createdAtOf(batch),
    transfers: batch.transfers.map(asAccepted),
  };
}
