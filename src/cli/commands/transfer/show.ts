import { findHold } from "../../../approvals/find-held.ts";
import { decidedAtOf } from "../../../approvals/held.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { findPostings } from "../../../ledger/find-postings.ts";
import { getTransfer } from "../../../transfers/find-transfers.ts";
import { lookUpTransfers } from "../../../transfers/look-up.ts";
import { createdAtOf } from "../../../transfers/transfer.ts";
import { toTransferResource } from "../../../transfers/transfer-resource.ts";
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

/** A transfer by any of its names, and everything that happened to it. */
export async function showTransferCommand(
  context: Context,
  text: string,
  options: { readonly company?: string },
): Promise<Outcome> {
  const { database } = context;
  const { companyId, id } = await findPlace(database, "transfer", text, options.company, (ids) =>
    lookUpTransfers(database, ids, text),
  );
  const clock = await findClock(context, companyId);
  const transfer = await getTransfer(database, companyId, id);
  const [accepted, ended] = [createdAtOf(transfer), transfer.endedAt];
  const moments = ended === null ? [accepted] : [accepted, ended];
  const postings = await findPostings(database, companyId, [id], moments);
  const history = await findHistory(database, companyId, id, moments);
  const hold = await findHold(database, companyId, id);
  const decision = hold?.decision ?? null;
  const isHeld = hold !== undefined && decision === null;
  const resource = toTransferResource(transfer);
  const steps: Moment[] = [
    { at: accepted, what: "accepted", detail: `${toFrancs(resource.totalAmount)} reserved` },
    ...(decision === null
      ? []
      : [{ at: decidedAtOf(decision), what: decision.verdict, detail: decision.comment ?? "" }]),
    ...(ended === null
      ? []
      : [{ at: ended, what: transfer.status, detail: transfer.failureReason ?? "" }]),
  ];
  const company = toPublicId(companyIdPrefix, companyId);
  return {
    value: {
      companyId: company,
      ...resource,
      ...(hold === undefined ? {} : { held: decision?.verdict ?? "waiting" }),
      postings: postings.map(toPostingValue),
      events: toHistoryValue(history),
    },
    text: [
      toPairs([
        ["transfer", resource.id],
        ["company", company],
        [
          "status",
          [resource.status, transfer.failureReason, isHeld ? "held for a person" : null]
            .filter((word) => word !== null)
            .join(": "),
        ],
        ["to", resource.msisdn],
        ["amount", `${toFrancs(resource.amount)}, fee ${toFrancs(resource.fee)}`],
        ["reference", resource.reference],
        ["recipient sees", resource.serviceTransactionReference],
        ...(resource.batchId === undefined ? [] : [["batch", resource.batchId] as const]),
        ...(resource.subCompanyId === undefined
          ? []
          : [["sub-company", resource.subCompanyId] as const]),
        ...(resource.description === null ? [] : [["description", resource.description] as const]),
      ]),
      "",
      toTimelineTable(toTimeline(steps, postings, history, clock), clock),
    ].join("\n"),
  };
}
