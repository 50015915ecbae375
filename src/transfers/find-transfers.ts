import type { Queryable } from "../database/database.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { type Batch, type BatchWithTransfers, batchRowsMax } from "./batch.ts";
import { selectBatch, selectBatchIds, selectBatchPage } from "./batches-store.ts";
import { BatchNotFound, TransactionNotFound } from "./errors.ts";
import {
  selectTransferPage,
  selectTransfers,
  selectUsedReferences,
  type TransferFilter,
} from "./store.ts";
import type { Transfer } from "./transfer.ts";

export async function getTransfer(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<Transfer> {
  const [transfer] = id === undefined ? [] : await selectTransfers(database, companyId, [id]);
  if (transfer === undefined) throw new TransactionNotFound();
  return transfer;
}

export async function listTransfers(
  database: Queryable,
  companyId: string,
  filter: TransferFilter,
  request: PageRequest,
): Promise<Page<Transfer>> {
  return toPage(
    { name: "transactions", companyId },
    request,
    await selectTransferPage(database, companyId, filter, request),
  );
}

/** Which of these references are taken, and by what. */
export async function findUsedReferences(
  database: Queryable,
  companyId: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string }>> {
  return selectUsedReferences(database, companyId, references);
}

/** Without its transfers. */
export async function getBatchSummary(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<Batch> {
  const batch = id === undefined ? undefined : await selectBatch(database, companyId, id);
  if (batch === undefined) throw new BatchNotFound();
  return batch;
}

/** The transfers that have these references, as far as there are any. */
export async function findByReferences(
  database: Queryable,
  companyId: string,
  references: readonly string[],
): Promise<Transfer[]> {
  const used = await selectUsedReferences(database, companyId, references);
  const ids = [...used.values()].map(({ id }) => id);
  return ids.length === 0 ? [] : selectTransfers(database, companyId, ids);
}

/** With its transfers, or as many of them as are asked for. */
export async function getBatch(
  database: Queryable,
  companyId: string,
  id: string | undefined,
  rows = batchRowsMax,
): Promise<BatchWithTransfers> {
  const batch = await getBatchSummary(database, companyId, id);
  const ids = await selectBatchIds(database, companyId, batch.id, rows);
  return { ...batch, transfers: await selectTransfers(database, companyId, ids) };
}

export async function listBatches(
  database: Queryable,
  companyId: string,
  request: PageRequest,
): Promise<Page<Batch>> {
  return toPage(
    { name: "batches", companyId },
    request,
    await selectBatchPage(database, companyId, request),
  );
}
