import type { Transaction } from "@cauri/sdk";
import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { notKnown } from "../../call-service.ts";
import { commandFor, type Login } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { toFrancs, toPairs } from "../../table.ts";

/** As `payout import` has it: the request was good, and the money did not arrive. */
const failed = 3;

function describeTransfer(transfer: Transaction): string {
  const { status, failureReason, description, batchId, subCompanyId } = transfer;
  const optional: [string, string | null | undefined][] = [
    ["description", description],
    ["batch", batchId],
    ["sub-company", subCompanyId],
  ];
  return toPairs([
    ["id", transfer.id],
    ["status", failureReason === null ? status : `${status}: ${failureReason}`],
    ["to", spellMsisdn(toDigits(transfer.msisdn))],
    ["amount", toFrancs(transfer.amount)],
    ["fee", toFrancs(transfer.fee)],
    ["reference", transfer.reference],
    ["recipient sees", transfer.serviceTransactionReference],
    ...optional.flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
    ["created", transfer.createdAt],
    ...(status === "pending" ? [] : ([["ended", transfer.updatedAt]] as [string, string][])),
  ]);
}

/** What a command that has seen a transfer ends with. */
export function toTransferOutcome(
  client: Login,
  transfer: Transaction,
  { note, isWaitOver = false, more = {} }: { note?: string; isWaitOver?: boolean; more?: object },
): Outcome {
  const { status, id } = transfer;
  const look = commandFor(client, "transfers", "get", id, "--wait");
  const isOpen = status === "pending" && isWaitOver;
  const isAccepted = status === "pending" && !isWaitOver;
  return {
    value: { ...transfer, ...more },
    text: [
      ...(note === undefined ? [] : [note]),
      describeTransfer(transfer),
      ...(isAccepted ? [`To wait for its end: ${look}`] : []),
      ...(status === "failed"
        ? ["The money is back on the account. To try again, give a new reference."]
        : []),
      ...(isOpen ? [`It is still pending: neither completed nor failed. Look again: ${look}`] : []),
    ].join("\n"),
    ...(status === "failed" ? { exitCode: failed } : {}),
    ...(isOpen ? { exitCode: notKnown } : {}),
  };
}
