import type { Charge } from "../charges/charge.ts";
import { chargeCan } from "../charges/charge.ts";
import { hasAccount } from "../customers/check-customer.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { Till } from "./find-standing.ts";
import {
  type CheckoutBrowser,
  giveSendBack,
  noteNotice,
  noteSent,
  openBrowser,
  takeSend,
} from "./store.ts";

/** A day: the longest time that a charge can be paid. */
const chargeNoticeSeconds = 86_400;
const unsentNoticeSeconds = 60;

export interface CodeRequest {
  readonly charge: Charge;
  readonly browser: Buffer;
  /** The network that the request came from. */
  readonly address: string;
  readonly msisdn: string;
  readonly text: (code: string) => string;
}

/**
 * Sends a code to the phone the payer wants to pay with, and writes the outcome down for the page to show in this
 * browser ("noted"). A number without an account gets none ("no-account"). That counts as one of the link's sends, so that
 * a link tells of a few numbers only who is a customer. "no-place": the link was used in so many browsers that nothing can
 * be written down.
 */
export async function sendCode(
  { payments: { database, policy }, codes }: Till,
  { charge, browser, address, msisdn, text }: CodeRequest,
): Promise<"noted" | "no-account" | "no-place"> {
  if (!chargeCan.pay(charge)) return "noted";
  const { companyId, id: chargeId } = charge;
  const key: CheckoutBrowser = { companyId, chargeId, browser };
  const { isTaken, hasPlace } = await database.transaction(async (tx) => {
    const taken = await takeSend(tx, key);
    return { isTaken: taken, hasPlace: await openBrowser(tx, key) };
  });
  if (isTaken && !hasPlace) await giveSendBack(database, key);
  if (!hasPlace) return "no-place";
  if (!isTaken) {
    await noteNotice(database, key, { kind: "charge", seconds: chargeNoticeSeconds });
    return "noted";
  }
  if (!(await hasAccount(database, policy, msisdn))) return "no-account";

  try {
    const origin = { address, companyId };
    const sent = await codes.send({ msisdn, purpose: `charge:${chargeId}`, browser, origin, text });
    if (sent.kind === "sent") {
      await noteSent(database, key, msisdn, charge.attempts);
      return "noted";
    }
    await giveSendBack(database, key);
    await noteNotice(
      database,
      key,
      { kind: sent.limit, seconds: sent.retryInSeconds || chargeNoticeSeconds },
      msisdn,
    );
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "message_not_sent") throw error;
    await giveSendBack(database, key);
    await noteNotice(database, key, { kind: "unsent", seconds: unsentNoticeSeconds }, msisdn);
  }
  return "noted";
}
