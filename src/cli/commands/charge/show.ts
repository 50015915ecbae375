import { type Charge, serviceReferenceOf } from "../../../charges/charge.ts";
import { getStoredCharge, lookUpCharges } from "../../../charges/look-up.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { subCompanyIdPrefix } from "../../../companies/sub-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { findPostings } from "../../../ledger/find-postings.ts";
import { findHistory } from "../../../webhooks/find-history.ts";
import type { Context, Outcome } from "../../context.ts";
import {
  type Moment,
  toHistoryValue,
  toPostingValue,
  toTimeline,
  toTimelineTable,
} from "../../describe-history.ts";
import { findClock } from "../../find-clock.ts";
import { findPlace } from "../../find-place.ts";
import { toFrancs, toPairs } from "../../table.ts";

/** A charge by its id or the company's own, and everything that happened to it. */
export async function showChargeCommand(
  context: Context,
  text: string,
  options: { readonly company?: string },
): Promise<Outcome> {
  const { database } = context;
  const { companyId, id } = await findPlace(database, "charge", text, options.company, (ids) =>
    lookUpCharges(database, ids, text),
  );
  const clock = await findClock(context, companyId);
  const { charge, isOverdue } = await getStoredCharge(database, companyId, id);
  const subjects = charge.transactions.map((transaction) => transaction.id);
  const moments = [...charge.transactions.map(({ createdAt }) => createdAt), charge.updatedAt];
  const postings = await findPostings(database, companyId, subjects, moments);
  const history = await findHistory(database, companyId, id, moments);
  const value = toChargeValue(charge);
  return {
    value: {
      ...value,
      isOverdue,
      postings: postings.map(toPostingValue),
      events: toHistoryValue(history),
    },
    text: [
      toPairs([
        ["charge", value.id],
        ["company", value.companyId],
        [
          "status",
          `${value.status}${value.droppedReason === null ? "" : `: ${value.droppedReason}`}${isOverdue ? ", and its time is over" : ""}`,
        ],
        ["external id", value.externalId],
        ["description", value.description],
        ["amount", `${toFrancs(value.amount)}, fee ${toFrancs(value.fee)}`],
        ["paid", `${toFrancs(value.paid)}, refunded ${toFrancs(value.refunded)}`],
        ["due until", clock.show(charge.expiresAt)],
        ...(value.subCompanyId === null ? [] : [["sub-company", value.subCompanyId] as const]),
      ]),
      "",
      toTimelineTable(toTimeline(stepsOf(charge), postings, history, clock), clock),
    ].join("\n"),
  };
}

export function toChargeValue(charge: Charge) {
  return {
    companyId: toPublicId(companyIdPrefix, charge.companyId),
    id: charge.id,
    externalId: charge.externalId,
    description: charge.description,
    amount: charge.amount,
    fee: charge.fee,
    status: charge.status,
    droppedReason: charge.droppedReason,
    paid: charge.paid,
    refunded: charge.refunded,
    attempts: charge.attempts,
    subCompanyId:
      charge.subCompanyId === null ? null : toPublicId(subCompanyIdPrefix, charge.subCompanyId),
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    expiresAt: charge.expiresAt.toISOString(),
    transactions: charge.transactions.map((transaction) => ({
      ...transaction,
      serviceTransactionReference: serviceReferenceOf(transaction),
    })),
  };
}

function stepsOf(charge: Charge): Moment[] {
  return [
    { at: charge.createdAt, what: "created", detail: toFrancs(charge.amount) },
    ...charge.transactions.map((transaction) => ({
      at: transaction.createdAt,
      what: `${transaction.type} ${transaction.status}`,
      detail: [toFrancs(transaction.amount), transaction.msisdn, transaction.error]
        .filter((part) => part !== null)
        .join(", "),
    })),
    ...(charge.droppedReason === null
      ? []
      : [{ at: charge.updatedAt, what: "dropped", detail: charge.droppedReason }]),
  ];
}
