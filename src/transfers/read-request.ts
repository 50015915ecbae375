import type { Static } from "typebox";
import type { Company } from "../companies/company.ts";
import { SubCompanyNotFound } from "../companies/errors.ts";
import { invalidRequest } from "../http/validation.ts";
import type { ErrorDetail } from "../kernel/domain-error.ts";
import { parsePublicId } from "../kernel/ids.ts";
import type { NewTransfer } from "./create-transfers.ts";
import { DuplicateReference } from "./errors.ts";
import type { NewBatchSchema, NewTransactionSchema } from "./schemas.ts";

type TransactionBody = Omit<Static<typeof NewTransactionSchema>, "type">;
type BatchBody = Static<typeof NewBatchSchema>;

const metadataBytesMax = 16 * 1024;

/** What the schema cannot know: this company's bounds, and how much metadata is too much. */
export function readTransfer(company: Company, body: TransactionBody): NewTransfer {
  const metadata = body.metadata == null ? null : JSON.stringify(body.metadata);
  const problems = problemsOf(company, body, metadata);
  if (problems.length > 0) throw invalidRequest(problems, body);
  return toNewTransfer(body, metadata);
}

/** Every bad row is named; references that stand twice are found before the database is asked. */
export function readBatch(
  company: Company,
  body: BatchBody,
): { readonly subCompanyId: string | null; readonly rows: readonly NewTransfer[] } {
  const problems: ErrorDetail[] = [];
  const rows = body.transactions.map((row, index) => {
    const metadata = row.metadata == null ? null : JSON.stringify(row.metadata);
    problems.push(...problemsOf(company, row, metadata).map((problem) => ({ index, ...problem })));
    return { row, metadata };
  });
  if (problems.length > 0) throw invalidRequest(problems, body);

  const seen = new Set<string>();
  const repeated: { index: number; reference: string }[] = [];
  for (const [index, { row }] of rows.entries()) {
    if (seen.has(row.reference)) repeated.push({ index, reference: row.reference });
    seen.add(row.reference);
  }
  if (repeated.length > 0) throw DuplicateReference.inBatch(repeated);
  return {
    subCompanyId: readSubCompanyId(body.subCompanyId),
    rows: rows.map(({ row, metadata }) => toNewTransfer(row, metadata)),
  };
}

function problemsOf(
  company: Company,
  body: TransactionBody,
  metadata: string | null,
): ErrorDetail[] {
  const { min, max } = company.transferAmount;
  const problems: ErrorDetail[] = [];
  if (body.amount < min || body.amount > max) {
    problems.push({
      field: "amount",
      code: "out_of_range",
      message: `amount must be from ${min} to ${max}.`,
    });
  }
  if (metadata !== null && Buffer.byteLength(metadata) > metadataBytesMax) {
    problems.push({
      field: "metadata",
      code: "too_large",
      message: `metadata must be at most ${metadataBytesMax} bytes.`,
    });
  }
  return problems;
}

function toNewTransfer(body: TransactionBody, metadata: string | null): NewTransfer {
  return {
    reference: body.reference,
    msisdn: body.msisdn,
    amount: body.amount,
    description: body.description ?? null,
    metadata,
    subCompanyId: readSubCompanyId(body.subCompanyId),
  };
}

function readSubCompanyId(text: string | null | undefined): string | null {
  if (text == null) return null;
  const id = parsePublicId("subco", text);
  if (id === undefined) throw new SubCompanyNotFound();
  return id;
}
