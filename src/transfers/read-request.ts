import type { Static } from "typebox";
import type { Company } from "../companies/company.ts";
import { SubCompanyNotFound } from "../companies/errors.ts";
import { hasInexactNumber } from "../http/parse-json.ts";
import { invalidRequest } from "../http/validation.ts";
import type { ErrorDetail } from "../kernel/domain-error.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { batchRowsMax } from "./batch.ts";
import type { NewTransfer } from "./create-transfers.ts";
import type { NewBatchSchema, NewTransactionSchema } from "./schemas.ts";

type TransactionBody = Omit<Static<typeof NewTransactionSchema>, "type">;
type BatchBody = Static<typeof NewBatchSchema>;

const metadataBytesMax = 16 * 1024;

/**
 * Adds what the schema cannot know (this company's bounds, and how much metadata is too much) to what it
 * found, so that one answer names everything that is wrong.
 */
export function readTransfer(
  company: Company,
  body: TransactionBody,
  found: readonly ErrorDetail[],
): NewTransfer {
  const problems = [...found, ...problemsOf(company, body), ...inexactMetadata(body, [body])];
  if (problems.length > 0) throw invalidRequest(problems, body);
  return toNewTransfer(body);
}

/** Every bad row is named. */
export function readBatch(
  company: Company,
  body: BatchBody,
  found: readonly ErrorDetail[],
): { readonly subCompanyId: string | null; readonly rows: readonly NewTransfer[] } {
  const sent: readonly TransactionBody[] = Array.isArray(body?.transactions)
    ? body.transactions.slice(0, batchRowsMax)
    : [];
  const problems = [
    ...found,
    ...inexactMetadata(body, sent),
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

  return { subCompanyId: readSubCompanyId(body.subCompanyId), rows: sent.map(toNewTransfer) };
}

/** Metadata is returned as given; a number that cannot be is refused rather than changed. */
function inexactMetadata(body: unknown, rows: readonly Partial<TransactionBody>[]): ErrorDetail[] {
  if (!hasInexactNumber(body) || rows.every((row) => row?.metadata == null)) return [];
  return [
    {
      field: "metadata",
      code: "invalid",
      message: "metadata holds a number that cannot be kept exactly; send it as a string.",
    },
  ];
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
    problems.push({
      field: "amount",
      code: "out_of_range",
      message: `amount must be from ${min} to ${max}.`,
    });
  }
  const metadata: unknown = body?.metadata;
  if (
    typeof metadata === "object" &&
    metadata !== null &&
    Buffer.byteLength(JSON.stringify(metadata)) > metadataBytesMax
  ) {
    problems.push({
      field: "metadata",
      code: "too_large",
      message: `metadata must be at most ${metadataBytesMax} bytes.`,
    });
  }
  return problems;
}

function toNewTransfer(body: TransactionBody): NewTransfer {
  return {
    reference: body.reference,
    msisdn: body.msisdn,
    amount: body.amount,
    description: body.description ?? null,
    metadata: body.metadata == null ? null : JSON.stringify(body.metadata),
    subCompanyId: readSubCompanyId(body.subCompanyId),
  };
}

function readSubCompanyId(text: string | null | undefined): string | null {
  if (text == null) return null;
  const id = parsePublicId("subco", text);
  if (id === undefined) throw new SubCompanyNotFound();
  return id;
}
