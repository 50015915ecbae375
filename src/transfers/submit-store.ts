import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { IdempotencyKey } from "../http/idempotency.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { toTransferPayload } from "./transaction.ts";
import type { Transfer } from "./transfer.ts";

/** A transfer on its way into the books, with the key its caller may have given and the answer to keep. */
export interface Submission {
  readonly transfer: Transfer;
  readonly key: IdempotencyKey | undefined;
  readonly response: string | undefined;
}

/** Why a row was not accepted. Place 0 is the batch itself, rows count from 1. */
export interface Refusal {
  readonly place: number;
  readonly problem:
    | "replayed"
    | "idempotency_key_reused"
    | "sub_company_not_found"
    | "sub_company_inactive"
    | "duplicate_reference"
    | "insufficient_funds";
  readonly existing_id: string | null;
  readonly status_code: number | null;
  readonly response: string | null;
}

export interface BatchHeader {
  readonly id: string;
  readonly subCompanyId: string | null;
}

/**
 * The hot path: one bare call that commits by itself, arrays in, refusals out. One row lock, one flush
 * to disk and one round trip for everybody in the set.
 */
export async function submitTransfers(
  database: Database,
  companyId: string,
  submissions: readonly Submission[],
  batch?: BatchHeader,
): Promise<Refusal[]> {
  const transfers = submissions.map(({ transfer }) => transfer);
  const hasKeys = submissions.some(({ key }) => key !== undefined);
  return database.execute<Refusal>(sql`
    select place, problem, existing_id, status_code, response from submit_transfers(
      ${companyId},
      ${batch !== undefined},
      ${transfers.map((transfer) => transfer.id)}::uuid[],
      ${transfers.map((transfer) => transfer.reference)}::text[],
      ${transfers.map((transfer) => toDigits(transfer.msisdn))}::text[],
      ${transfers.map((transfer) => transfer.msisdn)}::text[],
      ${transfers.map((transfer) => transfer.amount)}::bigint[],
      ${transfers.map((transfer) => transfer.fee)}::bigint[],
      ${transfers.map((transfer) => transfer.description)}::text[],
      ${transfers.map((transfer) => transfer.metadata)}::text[],
      ${transfers.map((transfer) => transfer.subCompanyId)}::uuid[],
      ${transfers.map((transfer) => transfer.createdAt.toISOString())}::timestamptz[],
      ${transfers.map(toTransferPayload)}::text[],
      ${hasKeys ? submissions.map(({ key }) => key?.key ?? null) : null}::text[],
      ${hasKeys ? submissions.map(({ key }) => key?.requestHash ?? null) : null}::bytea[],
      ${hasKeys ? submissions.map(({ response }) => response ?? null) : null}::text[],
      ${batch?.id ?? null},
      ${batch?.subCompanyId ?? null})`);
}
