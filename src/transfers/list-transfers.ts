import type { Queryable } from "../database/database.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import type { Batch, BatchWithTransfers } from "./batch.ts";
import { BatchNotFound, TransactionNotFound } from "./errors.ts";
import {
  selectBatch,
  selectBatchPage,
  selectBatchTransfers,
  selectTransfer,
  selectTransferPage,
  type TransferFilter,
} from "./store.ts";
import type { Transfer } from "./transfer.ts";

export async function getTransfer(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<Transfer> {
  const transfer = id === undefined ? undefined : await selectTransfer(database, companyId, id);
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

export async function getBatch(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<BatchWithTransfers> {
  const batch = id === undefined ? undefined : await selectBatch(database, companyId, id);
  if (batch === undefined) throw new BatchNotFound();
  return { ...batch, transfers: await selectBatchTransfers(database, companyId, batch.id) };
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
