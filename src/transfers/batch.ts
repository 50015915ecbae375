import type { Transfer } from "./transfer.ts";

export const batchStatuses = ["processing", "completed", "partially_completed", "failed"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const batchRowsMax = 10_000;

/** Transfers accepted together, all or nothing; they settle one by one. */
export interface Batch {
  readonly id: string;
  readonly subCompanyId: string | null;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly size: number;
  readonly completedCount: number;
  readonly failedCount: number;
  readonly status: BatchStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BatchWithTransfers extends Batch {
  readonly transfers: readonly Transfer[];
}
