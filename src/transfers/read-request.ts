import type { Static } from "typebox";
import type { Company } from "../companies/company.ts";
import { readSubCompanyId } from "../companies/find-company.ts";
import { InvalidRequest } from "../http/errors.ts";
import { metadataText, metadataTooLarge } from "../http/metadata.ts";
import { schemaWords } from "../http/schema-words.ts";
import {
  amountOutOfRange,
  compileValidator,
  invalidRequest,
  toDetails,
} from "../http/validation.ts";
import { detailsMax, type ErrorDetail } from "../kernel/domain-error.ts";
import { composeSentence } from "../kernel/language.ts";
import { Turns } from "../kernel/turns.ts";
import type { BatchRequest, TransferRequest } from "./create-transfers.ts";
import { BatchRowSchema, type NewBatchSchema, type NewTransactionSchema } from "./schemas.ts";

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
  const metadata = metadataText(body?.metadata);
  const wrong = problemsOf(company, body, metadata);
  if (found.length > 0 || wrong.length > 0) throw invalidRequest([...found, ...wrong], body);
  return toRequest(body, metadata);
}

/**
 * What is wrong with the batch itself is said before any row is looked at. Rows are checked in turns, so that nobody
 * waits for ten thousand of them, and only until there is as much to say as an answer says.
 */
export async function readBatch(
  company: Company,
  body: BatchBody,
  found: readonly ErrorDetail[],
): Promise<BatchRequest> {
  if (found.length > 0) throw invalidRequest(found, body);
  const sent: readonly TransactionBody[] = body.transactions;
  const problems: ErrorDetail[] = [];
  const rows: TransferRequest[] = [];
  const turns = new Turns();
  for (const [index, row] of sent.entries()) {
    if (turns.isOver) await turns.next();
    const metadata = metadataText(row?.metadata);
    const wrong = [...rowFindings(row, index), ...problemsOf(company, row, metadata)];
    for (const problem of wrong) problems.push({ index, ...problem });
    if (problems.length >= detailsMax) throw tooManyProblems(problems, sent.length);
    if (problems.length === 0) rows.push(toRequest(row, metadata));
  }
  if (problems.length > 0) throw invalidRequest(problems, body);
  return { subCompanyId: readSubCompanyId(body.subCompanyId), rows };
}

const isRow = compileValidator({ schema: BatchRowSchema, httpPart: "body" });

/** As if the row had been found in its batch, where it has an index. */
function rowFindings(row: unknown, index: number): ErrorDetail[] {
  if (isRow(row)) return [];
  const place = `/transactions/${index}`;
  return toDetails(
    (isRow.errors ?? []).map((error) => ({ ...error, instancePath: place + error.instancePath })),
  );
}

/** The rows behind these were not looked at. */
function tooManyProblems(problems: readonly ErrorDetail[], total: number): InvalidRequest {
  const rows = new Set(problems.map(({ index }) => index)).size;
  const said = composeSentence((language) => schemaWords[language].manyBadRows(rows, total));
  return new InvalidRequest(said, problems);
}

/** Looks only at values of the right type: what is of the wrong one, the schema has already found. */
function problemsOf(
  company: Company,
  body: Partial<TransactionBody> | null | undefined,
  metadata: string | null,
): ErrorDetail[] {
  const { min, max } = company.transferAmount;
  const problems = metadataTooLarge(metadata);
  const amount: unknown = body?.amount;
  if (Number.isInteger(amount) && ((amount as number) < min || (amount as number) > max)) {
    problems.unshift(amountOutOfRange(amount as number, min, max));
  }
  return problems;
}

function toRequest(body: TransactionBody, metadata: string | null): TransferRequest {
  return {
    reference: body.reference,
    msisdn: body.msisdn,
    amount: body.amount,
    description: body.description ?? null,
    metadata,
    subCompanyId: readSubCompanyId(body.subCompanyId),
  };
}
