import type { Queryable } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import type { Batch, BatchStatus } from "./batch.ts";

interface BatchRow {
  readonly id: string;
  readonly sub_company_id: string | null;
  readonly total_amount: number;
  readonly total_fee: number;
  readonly size: number;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly completed_amount: number;
  readonly failed_amount: number;
  readonly completed_fee: number;
  readonly status: BatchStatus;
  readonly updated_at: Date;
}

export async function selectBatch(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Batch | undefined> {
  const rows = await database.query<BatchRow>(sql`
    select * from batches where company_id = ${companyId} and id = ${id}`);
  return rows[0] && toBatch(rows[0]);
}

/** The ids of a batch's first transfers, in the order they were sent. */
export async function selectBatchIds(
  database: Queryable,
  companyId: string,
  batchId: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from transfers where company_id = ${companyId} and batch_id = ${batchId} order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export async function selectBatchPage(
  database: Queryable,
  companyId: string,
  page: PageRequest,
): Promise<Batch[]> {
  const rows = await database.query<BatchRow>(sql`
    select * from batches where company_id = ${companyId} and ${pageOf(page)}`);
  return rows.map(toBatch);
}

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    subCompanyId: row.sub_company_id,
    totalAmount: row.total_amount,
    totalFee: row.total_fee,
    size: row.size,
    completedCount: row.completed_count,
    failedCount: row.failed_count,
    completedAmount: row.completed_amount,
    failedAmount: row.failed_amount,
    completedFee: row.completed_fee,
    status: row.status,
    updatedAt: row.updated_at,
  };
}
