import type { Charge } from "../charges/charge.ts";
import { chargeCan } from "../charges/charge.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { Till } from "./find-standing.ts";
import { giveSendBack, noteNotice, noteSent, takeSend } from "./store.ts";

/** A day: the longest time that a charge can be paid. */
const chargeNoticeSeconds = 86_400;
const unsentNoticeSeconds = 60;

/**
 * Sends a code to the phone the payer wants to pay with, and writes the outcome down for the page to show. Any number
 * gets a code, whether it has an account or not: the page must not be a way to find out who is a customer.
 */
export async function sendCode(
  { payments: { database }, codes }: Till,
  charge: Charge,
  msisdn: string,
  text: (code: string) => string,
): Promise<void> {
  if (!chargeCan.pay(charge)) return;
  const key = { companyId: charge.companyId, chargeId: charge.id };
  if (!(await takeSend(database, key)))
    return noteNotice(database, key, { kind: "charge", seconds: chargeNoticeSeconds });

  try {
    const sent = await codes.send({ msisdn, purpose: `charge:${charge.id}`, text });
    if (sent.kind === "sent") return await noteSent(database, key, msisdn, charge.attempts);
    await giveSendBack(database, key);
    await noteNotice(database, key, { kind: sent.limit, seconds: sent.retryInSeconds }, msisdn);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "message_not_sent") throw error;
    await giveSendBack(database, key);
    await noteNotice(database, key, { kind: "unsent", seconds: unsentNoticeSeconds }, msisdn);
  }
}
