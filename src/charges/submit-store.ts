import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { IdempotencyKey } from "../http/idempotency.ts";
import type { NewCharge } from "./charge.ts";

/** A charge on its way into the books, with the key its caller may have given and the answer to keep. */
export interface Submission {
  readonly charge: NewCharge;
  readonly key: IdempotencyKey | undefined;
  readonly response: string | undefined;
}

/** Why a row was not created. Rows count from 1. */
export interface Refusal {
  readonly place: number;
  readonly problem:
    | "replayed"
    | "idempotency_key_reused"
    | "sub_company_not_found"
    | "sub_company_inactive"
    | "duplicate_external_id";
  readonly existing_id: string | null;
  readonly status_code: number | null;
  readonly response: string | null;
}

/** The hot path: one bare call that commits by itself, arrays in, refusals out. */
export async function submitCharges(
  database: Database,
  companyId: string,
  lifetimeSeconds: number,
  submissions: readonly Submission[],
): Promise<Refusal[]> {
  const charges = submissions.map(({ charge }) => charge);
  const hasKeys = submissions.some(({ key }) => key !== undefined);
  return database.execute<Refusal>(sql`
    select place, problem, existing_id, status_code, response from submit_charges(
      ${companyId},
      make_interval(secs => ${lifetimeSeconds}),
      ${charges.map((charge) => charge.id)}::uuid[],
      ${charges.map((charge) => charge.externalId)}::text[],
      ${charges.map((charge) => charge.description)}::text[],
      ${charges.map((charge) => charge.amount)}::bigint[],
      ${charges.map((charge) => charge.fee)}::bigint[],
      ${charges.map((charge) => charge.feeRatePpm)}::integer[],
      ${charges.map((charge) => charge.metadata)}::text[],
      ${charges.map((charge) => charge.subCompanyId)}::uuid[],
      ${charges.map((charge) => charge.onCanceledRedirectionUrl)}::text[],
      ${charges.map((charge) => charge.onCompletedRedirectionUrl)}::text[],
      ${charges.map((charge) => charge.createdAt.toISOString())}::timestamptz[],
      ${hasKeys ? submissions.map(({ key }) => key?.key ?? null) : null}::text[],
      ${hasKeys ? submissions.map(({ key }) => key?.requestHash ?? null) : null}::bytea[],
      ${hasKeys ? submissions.map(({ response }) => response ?? null) : null}::text[])`);
}

/** Waits until whoever creates charges of this company right now has ended. Marks work there may not be. */
export async function lockSubmissions(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`select mark_charge_work(${companyId}, now() + interval '1 hour')`);
}

/** Which of these charges are in the books; for the caller that lost the answer to its submission. */
export async function selectPresentIds(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(sql`
    select id from charges where company_id = ${companyId} and id = any(${ids}::uuid[])`);
  return new Set(rows.map((row) => row.id));
}
