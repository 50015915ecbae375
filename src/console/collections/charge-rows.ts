import { type Charge, paidAtOf, serviceReferenceOf } from "../../charges/charge.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { toDigits } from "../../kernel/msisdn.ts";
import { type Row, toWallClock } from "../../spreadsheets/cell.ts";
import type { CollectionWords } from "../words/collections.ts";
import { payerOf } from "./list-page.tsx";

/** Charges as rows of a table, for a program or for a person. */
export interface RowsFor {
  readonly timeZone: string;
  /** Undefined: states and reasons as the API has them. */
  readonly words: CollectionWords | undefined;
  readonly subCompanyNames: ReadonlyMap<string, string>;
}

const programHeader = [
  "id",
  "createdAt",
  "paidAt",
  "expiresAt",
  "externalId",
  "description",
  "payerMsisdn",
  "amount",
  "fee",
  "paid",
  "refunded",
  "status",
  "droppedReason",
  "attempts",
  "providerTransactionReference",
  "subCompanyId",
  "subCompanyName",
] as const;

export function headerOf(words: CollectionWords | undefined): readonly string[] {
  if (words === undefined) return programHeader;
  const { columns } = words;
  return [
    columns.id,
    columns.createdAt,
    columns.paidAt,
    columns.expiresAt,
    columns.reference,
    columns.description,
    columns.payer,
    columns.amount,
    columns.fee,
    columns.paid,
    columns.refunded,
    columns.status,
    columns.reason,
    columns.attempts,
    columns.serviceReference,
    columns.subCompanyId,
    columns.subCompany,
  ];
}

export function toRow(charge: Charge, { timeZone, words, subCompanyNames }: RowsFor): Row {
  const { status, droppedReason, subCompanyId } = charge;
  const momentOf = (at: Date | null) => {
    if (at === null) return { text: "" };
    // A program is told the moment itself; a person what the clock on the wall showed.
    return words === undefined ? { text: at.toISOString() } : { moment: toWallClock(at, timeZone) };
  };
  const payer = payerOf(charge);
  const payment = charge.transactions.find(
    (one) => one.type === "payment" && one.status === "completed",
  );
  return [
    { text: charge.id },
    momentOf(charge.createdAt),
    momentOf(paidAtOf(charge)),
    momentOf(charge.expiresAt),
    { text: charge.externalId },
    { text: charge.description },
    { text: payer === undefined ? "" : toDigits(payer) },
    { amount: charge.amount },
    { amount: charge.fee },
    { amount: charge.paid },
    { amount: charge.refunded },
    { text: words === undefined ? status : words.statuses[status] },
    { text: reasonOf(droppedReason, words) },
    { amount: charge.attempts },
    { text: payment === undefined ? "" : serviceReferenceOf(payment) },
    { text: subCompanyId === null ? "" : toPublicId("subco", subCompanyId) },
    { text: (subCompanyId !== null && subCompanyNames.get(subCompanyId)) || "" },
  ];
}

function reasonOf(reason: Charge["droppedReason"], words: CollectionWords | undefined): string {
  if (reason === null) return "";
  return words === undefined ? reason : words.dropped[reason].what;
}
