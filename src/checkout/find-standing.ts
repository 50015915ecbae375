import type { Charge } from "../charges/charge.ts";
import { findCharge } from "../charges/find-charges.ts";
import type { Payments } from "../charges/payments.ts";
import type { OneTimeCodes } from "../customers/one-time-codes.ts";
import {
  type Checkout,
  isWaitingForCode,
  newCheckout,
  type Standing,
  standingOf,
} from "./checkout.ts";
import { type CheckoutKey, selectCheckout } from "./store.ts";

/** What every action on the page has at hand. */
export interface Till {
  readonly payments: Payments;
  readonly codes: OneTimeCodes;
}

export interface FoundCheckout {
  readonly charge: Charge;
  readonly checkout: Checkout;
}

/** The charge behind a link and where its payer stands; undefined when there is no such charge. */
export async function findCheckout(
  { payments }: Till,
  key: CheckoutKey,
): Promise<FoundCheckout | undefined> {
  const [charge, checkout] = await Promise.all([
    findCharge(payments, key.companyId, key.chargeId),
    selectCheckout(payments.database, key),
  ]);
  return charge === undefined ? undefined : { charge, checkout: checkout ?? newCheckout };
}

/** Which screen the page shows just now: read from the database, never from the browser. */
export async function findStanding(
  { codes }: Till,
  { charge, checkout }: FoundCheckout,
): Promise<Standing> {
  const { msisdn } = checkout;
  const code =
    msisdn !== undefined && isWaitingForCode(charge, checkout)
      ? await codes.current({ msisdn, purpose: `charge:${charge.id}` })
      : undefined;
  return standingOf(charge, checkout, code);
}
