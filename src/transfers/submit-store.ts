import type { Database, Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { IdempotencyKey } from "../idempotency/idempotency-key.ts";
import type { SubmittedRow } from "../lanes/verdicts.ts";
import { refuseFrozen } from "../ledger/errors.ts";
import type { NewTransfer } from "./transfer.ts";

/** A transfer on its way into the books, with the key its caller may have given. */
export interface Submission {
  readonly transfer: NewTransfer;
  readonly key: IdempotencyKey | undefined;
  /** The number of the price that it was judged by. */
  readonly priceNumber: number;
}

export type TransferProblem =
  | "replayed"
  | "idempotency_key_reused"
  | "price_changed"
  | "sub_company_not_found"
  | "sub_company_inactive"
  | "duplicate_reference"
  | "insufficient_funds"
  | "quota_exceeded";

/** How many transfers to numbers that are nobody's a company may send a day, and numbers that do not count. */
export interface RecipientLimit {
  readonly unknownPerDay: number;
  readonly known: readonly string[];
}

/** What all rows of a batch have in common. */
export interface BatchHeader {
  readonly subCompanyId: string | null;
}

/**
 * The hot path: one bare call that commits by itself, arrays in, what was refused out. One row lock, one flush to disk
 * and one round trip for everybody in the set.
 */
export async function submitTransfers(
  database: Database,
  companyId: string,
  nonce: number,
  submissions: readonly Submission[],
  batch?: BatchHeader,
  limit?: RecipientLimit,
): Promise<SubmittedRow<TransferProblem>> {
  const query = submission(companyId, nonce, submissions, batch, limit, false);
  return onlyRow(await database.execute<SubmittedRow<TransferProblem>>(query).catch(refuseFrozen));
}

/** The same as part of a larger transaction, whose commit decides, for what a person stands behind: nothing of it is held. */
export async function submitWithin(
  tx: Tx,
  companyId: string,
  nonce: number,
  submissions: readonly Submission[],
  batch: BatchHeader | undefined,
  limit: RecipientLimit,
): Promise<SubmittedRow<TransferProblem>> {
  const query = submission(companyId, nonce, submissions, batch, limit, true);
  return onlyRow(await tx.query<SubmittedRow<TransferProblem>>(query).catch(refuseFrozen));
}

function submission(
  companyId: string,
  nonce: number,
  submissions: readonly Submission[],
  batch: BatchHeader | undefined,
  limit: RecipientLimit | undefined,
  isApproved: boolean,
): Query {
  const references: string[] = [];
  const msisdns: string[] = [];
  const amounts: number[] = [];
  const fees: number[] = [];
  for (const { transfer } of submissions) {
    references.push(transfer.reference);
    msisdns.push(transfer.msisdn);
    amounts.push(transfer.amount);
    fees.push(transfer.fee);
  }
  return sql`
    select ms, base, places, problems, existing from submit_transfers(
      ${companyId}, ${batch !== undefined}, ${batch?.subCompanyId ?? null}, ${nonce},
      ${references}::text[], ${msisdns}::text[], ${amounts}::bigint[], ${fees}::bigint[],
      ${orNull(submissions, ({ transfer }) => transfer.description)}::text[],
      ${orNull(submissions, ({ transfer }) => transfer.metadata)}::text[],
      ${orNull(submissions, ({ transfer }) => transfer.subCompanyId)}::uuid[],
      ${orNull(submissions, ({ key }) => key?.key ?? null)}::text[],
      ${orNull(submissions, ({ key }) => key?.requestHash ?? null)}::bytea[],
      ${limit?.unknownPerDay ?? null}, ${limit?.known ?? []}::text[],
      ${(batch === undefined ? submissions : submissions.slice(0, 1)).map(({ priceNumber }) => priceNumber)}::integer[],
      ${isApproved})`;
}

function onlyRow(rows: readonly SubmittedRow<TransferProblem>[]): SubmittedRow<TransferProblem> {
  const [row] = rows;
  if (row === undefined) throw new Error("submit_transfers answers one row");
  return row;
}

/** What no row has need not be sent row by row. */
function orNull<Value>(
  submissions: readonly Submission[],
  valueOf: (submission: Submission) => Value | null,
): (Value | null)[] | null {
  const values = submissions.map(valueOf);
  return values.every((value) => value === null) ? null : values;
}

/** Waits until whoever moves this company's money right now has ended. */
export async function lockBooks(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`select 1 from books where company_id = ${companyId} for update`);
}
