import type { Charge } from "../charges/charge.ts";
import { findCharge } from "../charges/find-charges.ts";
import type { Payments } from "../charges/payments.ts";
import type { OneTimeCodes } from "../customers/one-time-codes.ts";
import { isFrozen } from "../ledger/freeze.ts";
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
  /** Undefined when this browser has asked for no code yet, for this charge or anything else. */
  readonly browser: Buffer | undefined;
  readonly checkout: Checkout;
  /** Its company is frozen, so that it cannot be paid now. */
  readonly isFrozen: boolean;
}

/** The charge behind a link and where its payer stands in a browser; undefined when there is no such charge. */
export async function findCheckout(
  { payments }: Till,
  key: CheckoutKey,
  browser: Buffer | undefined,
): Promise<FoundCheckout | undefined> {
  const { database } = payments;
  const [charge, checkout, isCompanyFrozen] = await Promise.all([
    findCharge(payments, key.companyId, key.chargeId),
    browser === undefined ? undefined : selectCheckout(database, { ...key, browser }),
    isFrozen(database, key.companyId),
  ]);
  if (charge === undefined) return undefined;
  // Whoever has paid keeps the receipt.
  const isClosed = isCompanyFrozen && charge.paid === 0;
  return { charge, browser, checkout: checkout ?? newCheckout, isFrozen: isClosed };
}

/** Which screen the page shows just now: the browser says who it is, the database where that stands. */
export async function findStanding(
  { codes }: Till,
  { charge, browser, checkout }: Pick<FoundCheckout, "charge" | "browser" | "checkout">,
): Promise<Standing> {
  const { msisdn } = checkout;
  const code =
    msisdn !== undefined && browser !== undefined && isWaitingForCode(charge, checkout)
      ? await codes.current({ msisdn, purpose: `charge:${charge.id}`, browser })
      : undefined;
  return standingOf(charge, checkout, code);
}
