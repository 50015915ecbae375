import type { Cauri, Charge } from "@cauri/sdk";
import { NothingFound } from "../../errors.ts";
import { toFrancs, toPairs } from "../../table.ts";

export function describeCharge(charge: Charge): string {
  const { status, droppedReason, paid, refunded, transactions } = charge;
  const isOpen = status === "created" || status === "due";
  return toPairs([
    ["id", charge.id],
    ["status", droppedReason === null ? status : `${status}: ${droppedReason}`],
    ["amount", toFrancs(charge.amount)],
    ["fee", toFrancs(charge.fees.value)],
    ["paid", toFrancs(paid)],
    ...(refunded === 0 ? [] : ([["refunded", toFrancs(refunded)]] as [string, string][])),
    ["external id", charge.externalId],
    ["description", charge.description],
    ["created", charge.createdAt],
    ...(isOpen
      ? ([
          ["expires", charge.expiresAt],
          ["pay here", charge.paymentUrl],
        ] as [string, string][])
      : []),
    ...transactions.map(
      ({ type, status: how, amount, recipientMsisdn, error, reason }): [string, string] => [
        type,
        `${how}, ${toFrancs(amount)}, ${recipientMsisdn}${noteOf(error ?? reason)}`,
      ],
    ),
  ]);
}

/** Why it failed, or why it was given back. */
function noteOf(why: string | undefined): string {
  return why === undefined ? "" : `: ${why}`;
}

/** By its id, or the business's own id of it. */
export async function findCharge(cauri: Cauri, text: string): Promise<Charge> {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return cauri.charges.get(text);
  const { data } = await cauri.charges.list({ externalId: text }).page();
  if (data[0] === undefined) throw new NothingFound("charge", text);
  return data[0];
}
