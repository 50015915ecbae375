import { toPublicId } from "../../kernel/ids.ts";
import { toDigits } from "../../kernel/msisdn.ts";
import { type Row, toWallClock } from "../../spreadsheets/cell.ts";
import { createdAtOf, serviceReferenceOf, type Transfer } from "../../transfers/transfer.ts";
import type { TransferWords } from "../words/transfers.ts";

/** Transfers as rows of a table, for a program or for a person. */
export interface RowsFor {
  readonly timeZone: string;
  /** Undefined: states and reasons as the API has them. */
  readonly words: TransferWords | undefined;
  readonly subCompanyNames: ReadonlyMap<string, string>;
}

const programHeader = [
  "id",
  "createdAt",
  "updatedAt",
  "msisdn",
  "amount",
  "fee",
  "totalAmount",
  "status",
  "failureReason",
  "reference",
  "serviceTransactionReference",
  "subCompanyId",
  "subCompanyName",
  "batchId",
  "description",
] as const;

export function headerOf(words: TransferWords | undefined): readonly string[] {
  if (words === undefined) return programHeader;
  const { columns } = words;
  return [
    columns.id,
    columns.createdAt,
    columns.endedAt,
    columns.recipient,
    columns.amount,
    columns.fee,
    columns.total,
    columns.status,
    columns.reason,
    columns.reference,
    columns.serviceReference,
    columns.subCompanyId,
    columns.subCompany,
    columns.batch,
    columns.description,
  ];
}

export function toRow(transfer: Transfer, { timeZone, words, subCompanyNames }: RowsFor): Row {
  const { amount, fee, status, failureReason, subCompanyId, batchId, endedAt } = transfer;
  const momentOf = (at: Date | null) => {
    if (at === null) return { text: "" };
    // A program is told the moment itself; a person what the clock on the wall showed.
    return words === undefined ? { text: at.toISOString() } : { moment: toWallClock(at, timeZone) };
  };
  return [
    { text: toPublicId("txn", transfer.id) },
    momentOf(createdAtOf(transfer)),
    momentOf(endedAt),
    { text: toDigits(transfer.msisdn) },
    { amount },
    { amount: fee },
    { amount: amount + fee },
    { text: words === undefined ? status : words.statuses[status] },
    { text: reasonOf(failureReason, words) },
    { text: transfer.reference },
    { text: serviceReferenceOf(transfer) },
    { text: subCompanyId === null ? "" : toPublicId("subco", subCompanyId) },
    { text: (subCompanyId !== null && subCompanyNames.get(subCompanyId)) || "" },
    { text: batchId === null ? "" : toPublicId("bat", batchId) },
    { text: transfer.description ?? "" },
  ];
}

function reasonOf(reason: Transfer["failureReason"], words: TransferWords | undefined): string {
  if (reason === null) return "";
  return words === undefined ? reason : words.reasons[reason].what;
}
