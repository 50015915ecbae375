import type { Charge } from "../charges/charge.ts";
import { chargeCan } from "../charges/charge.ts";
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
 * browser. Any number gets a code, whether it has an account or not: the page must not be a way to find out who is a
 * customer. False when the link was used in so many browsers that there is no place to write anything down.
 */
export async function sendCode(
  { payments: { database }, codes }: Till,
  { charge, browser, address, msisdn, text }: CodeRequest,
): Promise<boolean> {
  if (!chargeCan.pay(charge)) return true;
  const { companyId, id: chargeId } = charge;
  const key: CheckoutBrowser = { companyId, chargeId, browser };
  const { isTaken, hasPlace } = await database.transaction(async (tx) => {
    const taken = await takeSend(tx, key);
    return { isTaken: taken, hasPlace: await openBrowser(tx, key) };
  });
  if (isTaken && !hasPlace) await giveSendBack(database, key);
  if (!hasPlace) return false;
  if (!isTaken) {
    await noteNotice(database, key, { kind: "charge", seconds: chargeNoticeSeconds });
    return true;
  }

  try {
    const origin = { address, companyId };
    const sent = await codes.send({ msisdn, purpose: `charge:${chargeId}`, browser, origin, text });
    if (sent.kind === "sent") {
      await noteSent(database, key, msisdn, charge.attempts);
      return true;
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
  return true;
}
