import type { Static } from "typebox";
import type { Company } from "../companies/company.ts";
import { readSubCompanyId } from "../companies/find-company.ts";
import { metadataInexact, metadataTooLarge } from "../http/metadata.ts";
import { amountOutOfRange, invalidRequest } from "../http/validation.ts";
import type { ErrorDetail } from "../kernel/domain-error.ts";
import { batchRowsMax } from "./batch.ts";
import type { BatchRequest, TransferRequest } from "./create-transfers.ts";
import type { NewBatchSchema, NewTransactionSchema } from "./schemas.ts";

type TransactionBody = Omit<Static<typeof NewTransactionSchema>, "type">;
type BatchBody = Static<typeof NewBatchSchema>;

/**
 * Adds what the schema cannot know (this company's bounds, and how much metadata is too much) to what it
 * found, so that one answer names everything that is wrong.
 */
export function readTransfer(
  company: Company,
  body: TransactionBody,
  found: readonly ErrorDetail[],
): TransferRequest {
  const problems = [...found, ...problemsOf(company, body), ...metadataInexact(body, [body])];
  if (problems.length > 0) throw invalidRequest(problems, body);
  return toRequest(body);
}

/** Every bad row is named. */
export function readBatch(
  company: Company,
  body: BatchBody,
  found: readonly ErrorDetail[],
): BatchRequest {
  const sent: readonly TransactionBody[] = Array.isArray(body?.transactions)
    ? body.transactions.slice(0, batchRowsMax)
    : [];
  const problems = [
    ...found,
    ...metadataInexact(body, sent),
    ...sent.flatMap((row, index) =>
      problemsOf(company, row).map((problem) => ({ index, ...problem })),
    ),
  ];
  if (problems.length > 0) {
    throw invalidRequest(
      problems.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)),
      body,
    );
  }

  return { subCompanyId: readSubCompanyId(body.subCompanyId), rows: sent.map(toRequest) };
}

/** Looks only at values of the right type: what is of the wrong one, the schema has already found. */
function problemsOf(
  company: Company,
  body: Partial<TransactionBody> | null | undefined,
): ErrorDetail[] {
  const { min, max } = company.transferAmount;
  const problems: ErrorDetail[] = [];
  const amount: unknown = body?.amount;
  if (Number.isInteger(amount) && ((amount as number) < min || (amount as number) > max)) {
    problems.push(amountOutOfRange(amount as number, min, max));
  }
  return [...problems, ...metadataTooLarge(body?.metadata)];
}

function toRequest(body: TransactionBody): TransferRequest {
  return {
    reference: body.reference,
    msisdn: body.msisdn,
    amount: body.amount,
    description: body.description ?? null,
    metadata: body.metadata == null ? null : JSON.stringify(body.metadata),
    subCompanyId: readSubCompanyId(body.subCompanyId),
  };
}
