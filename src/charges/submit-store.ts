import type { Database, Queryable, Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { referenceForms, referenceKey } from "../kernel/reference-forms.ts";
import type { SubmittedRow } from "../lanes/verdicts.ts";
import { refuseFrozen } from "../ledger/errors.ts";
import type { NewCharge } from "./charge.ts";

/** A charge on its way into the books, with the key its caller may have given. */
export interface Submission {
  readonly charge: NewCharge;
  readonly key: IdempotencyKey | undefined;
  /** The number of the price that it was judged by. */
  readonly priceNumber: number;
}

export type ChargeProblem =
  | "replayed"
  | "idempotency_key_reused"
  | "price_changed"
  | "sub_company_not_found"
  | "sub_company_inactive"
  | "duplicate_external_id";

/** The hot path: one bare call that commits by itself, arrays in, what was refused out. */
export async function submitCharges(
  database: Database,
  companyId: string,
  lifetimeSeconds: number,
  nonce: number,
  submissions: readonly Submission[],
): Promise<SubmittedRow<ChargeProblem>> {
  const query = submissionOf(companyId, lifetimeSeconds, nonce, submissions);
  return onlyRow(await database.execute<SubmittedRow<ChargeProblem>>(query).catch(refuseFrozen));
}

/** The same for one charge, as part of a larger transaction whose commit decides. */
export async function submitWithin(
  tx: Tx,
  companyId: string,
  lifetimeSeconds: number,
  nonce: number,
  submission: Submission,
): Promise<SubmittedRow<ChargeProblem>> {
  const query = submissionOf(companyId, lifetimeSeconds, nonce, [submission]);
  return onlyRow(await tx.query<SubmittedRow<ChargeProblem>>(query).catch(refuseFrozen));
}

function submissionOf(
  companyId: string,
  lifetimeSeconds: number,
  nonce: number,
  submissions: readonly Submission[],
): Query {
  const charges = submissions.map(({ charge }) => charge);
  const keys = submissions.map(({ key }) => key);
  const hasKeys = keys.some((key) => key !== undefined);
  return sql`
    select ms, base, places, problems, existing from submit_charges(
      ${companyId},
      make_interval(secs => ${lifetimeSeconds}),
      ${nonce},
      ${charges.map((charge) => charge.externalId)}::text[],
      ${charges.map((charge) => charge.description)}::text[],
      ${charges.map((charge) => charge.amount)}::bigint[],
      ${charges.map((charge) => charge.fee)}::bigint[],
      ${charges.map((charge) => charge.feeRatePpm)}::integer[],
      ${charges.map((charge) => charge.metadata)}::text[],
      ${charges.some(({ subCompanyId }) => subCompanyId !== null) ? charges.map(({ subCompanyId }) => subCompanyId) : null}::uuid[],
      ${hasKeys ? keys.map((key) => key?.key ?? null) : null}::text[],
      ${hasKeys ? keys.map((key) => key?.requestHash ?? null) : null}::bytea[],
      ${charges.map((charge) => charge.onCanceledRedirectionUrl)}::text[],
      ${charges.map((charge) => charge.onCompletedRedirectionUrl)}::text[],
      ${submissions.map(({ priceNumber }) => priceNumber)}::integer[])`;
}

function onlyRow(rows: readonly SubmittedRow<ChargeProblem>[]): SubmittedRow<ChargeProblem> {
  const [row] = rows;
  if (row === undefined) throw new Error("submit_charges answers one row");
  return row;
}

/** Waits until whoever creates charges of this company right now has ended. */
export async function lockChargeList(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`
    select 1 from list_ends where company_id = ${companyId} and list = 'charges' for update`);
}

/** The charges that have these external ids, by external id. Composed, so that it is planned each time. */
export async function selectUsedExternalIds(
  database: Queryable,
  companyId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; external_id: string }>(sql`
    select id, external_id from charges
    where company_id = ${companyId} and external_id = any (${externalIds.flatMap(referenceForms)}::text[])
      and ${sql`external_id <> ''`}`);
  const used = new Map(rows.map((row) => [referenceKey(row.external_id), row.id]));
  return new Map(
    externalIds.flatMap((externalId) => {
      const id = used.get(referenceKey(externalId));
      return id === undefined ? [] : [[externalId, id] as const];
    }),
  );
}
