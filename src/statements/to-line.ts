import { subCompanyIdPrefix } from "../companies/sub-company.ts";
import { toPublicId } from "../kernel/ids.ts";
import { toServiceReference } from "../kernel/service-reference.ts";
import type { ChainedPosting } from "./chain.ts";
import type { ChainedRow, LineRow, PostingRow } from "./lines-store.ts";
import { kindOf, type LineProof, type StatementLine } from "./statement.ts";

/** Those whose money a person has seen coming, or going, under a reference. */
const seenByPeople: ReadonlySet<string> = new Set([
  "transfer",
  "transfer_returned",
  "payment",
  "refund",
]);

export function toLine(row: LineRow, balanceAfter: number, proof: LineProof | null): StatementLine {
  const kind = kindOf(row.event);
  const isTransfer = kind === "transfer" || kind === "transfer_returned";
  return {
    number: row.number,
    at: row.at,
    kind,
    amount: changeOf(row),
    fee: row.fee,
    balanceAfter,
    id: isTransfer ? toPublicId("txn", row.subject_id) : row.subject_id,
    chargeId: row.charge_id,
    reference: row.reference,
    externalId: row.external_id,
    serviceTransactionReference: seenByPeople.has(kind) ? toServiceReference(row.subject_id) : null,
    msisdn: row.msisdn,
    subCompanyId: row.sub_company_id && toPublicId(subCompanyIdPrefix, row.sub_company_id),
    subCompanyName: row.sub_company_name,
    batchId: row.batch_id && toPublicId("bat", row.batch_id),
    memo: row.memo,
    proof,
  };
}

/** The signed change of what is available. */
export function changeOf({ credit, amount }: Pick<PostingRow, "credit" | "amount">): number {
  return credit === "available" ? amount : -amount;
}

export function toPosting(row: PostingRow & Partial<ChainedRow>): ChainedPosting {
  return {
    number: row.number,
    subjectId: row.subject_id,
    amount: row.amount,
    availableAfter: row.available_after,
    event: row.event,
    debit: row.debit,
    credit: row.credit,
    at: row.at,
    facts: row.facts,
    isDated: row.isDated,
  };
}
