import type { Charge } from "../charges/charge.ts";
import { chargeCan } from "../charges/charge.ts";
import { hasAccount } from "../customers/check-customer.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { Till } from "./find-standing.ts";
import { giveSendBack, noteNotice, noteSent, takeSend } from "./store.ts";

/** A day: the longest time that a charge can be paid. */
const chargeNoticeSeconds = 86_400;
const unsentNoticeSeconds = 60;

/**
 * Sends a code to the phone the payer wants to pay with, and writes the outcome down for the page to show. A number
 * without an account gets none: then it returns "no-account". That counts as one of the link's sends, so that a link
 * tells of a few numbers only who is a customer.
 */
export async function sendCode(
  { payments: { database, policy }, codes }: Till,
  charge: Charge,
  msisdn: string,
  text: (code: string) => string,
): Promise<"no-account" | "noted"> {
  if (!chargeCan.pay(charge)) return "noted";
  const key = { companyId: charge.companyId, chargeId: charge.id };
  if (!(await takeSend(database, key))) {
    await noteNotice(database, key, { kind: "charge", seconds: chargeNoticeSeconds });
    return "noted";
  }
  if (!(await hasAccount(database, policy, msisdn))) return "no-account";

  try {
    const sent = await codes.send({ msisdn, purpose: `charge:${charge.id}`, text });
    if (sent.kind === "sent") {
      await noteSent(database, key, msisdn, charge.attempts);
      return "noted";
    }
    await giveSendBack(database, key);
    await noteNotice(database, key, { kind: sent.limit, seconds: sent.retryInSeconds }, msisdn);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "message_not_sent") throw error;
    await giveSendBack(database, key);
    await noteNotice(database, key, { kind: "unsent", seconds: unsentNoticeSeconds }, msisdn);
  }
  return "noted";
}
