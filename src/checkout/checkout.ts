import type { Charge, PaymentError } from "../charges/charge.ts";
import { chargeCan } from "../charges/charge.ts";
import type { CodeRefused, CurrentCode } from "../customers/one-time-code.ts";
import { toDigits } from "../kernel/msisdn.ts";

/**
 * How many codes one payment link may send, to all phones together: a link that is passed around must not become a
 * way to send messages to strangers.
 */
export const sendsPerChargeMax = 6;

/**
 * What the page has to say about codes: that the one typed was wrong; which limit stands in the way of another
 * (charge is that of this link); unsent: the gateway refused.
 */
export type NoticeKind = "wrong_code" | CodeRefused["limit"] | "charge" | "unsent";

export interface Notice {
  readonly kind: NoticeKind;
  /** For how many more seconds the notice holds. */
  readonly seconds: number;
}

/**
 * How many browsers one payment link may ask for codes in. A payer has one or two; the link is no place to keep
 * things in without end.
 */
export const browsersPerChargeMax = 20;

/** Where the payer of a charge stands in one browser, as it is kept. */
export interface Checkout {
  /** Digits of the phone in use; undefined before one was given. */
  readonly msisdn: string | undefined;
  /**
   * How many attempts to pay the charge had when the last code was sent: one more means that the attempt with this
   * code failed.
   */
  readonly attemptsBefore: number;
  readonly notice: Notice | undefined;
}

export const newCheckout: Checkout = { msisdn: undefined, attemptsBefore: 0, notice: undefined };

/** Which screen the page shows. Every one of them can be reached by opening the link again in the same browser. */
export type Standing =
  | { readonly screen: "phone"; readonly notice: Notice | undefined }
  | {
      readonly screen: "code";
      readonly msisdn: string;
      readonly code: CurrentCode | undefined;
      readonly notice: Notice | undefined;
    }
  | {
      readonly screen: "failed";
      readonly error: PaymentError;
      readonly msisdn: string | undefined;
      readonly notice: Notice | undefined;
    }
  | { readonly screen: "receipt" }
  | { readonly screen: "ended" };

/** Whether the payer is at the step of typing the code, so that the page depends on the state of the code. */
export function isWaitingForCode(charge: Charge, checkout: Checkout): boolean {
  return (
    chargeCan.pay(charge) &&
    checkout.msisdn !== undefined &&
    charge.attempts <= checkout.attemptsBefore
  );
}

export function standingOf(
  charge: Charge,
  checkout: Checkout,
  code: CurrentCode | undefined,
): Standing {
  if (charge.status === "dropped") return { screen: "ended" };
  if (!chargeCan.pay(charge)) return { screen: "receipt" };

  const { msisdn, notice } = checkout;
  if (charge.attempts > checkout.attemptsBefore) {
    const failed = charge.transactions.findLast(({ error }) => error !== null);
    const isSamePhone = failed !== undefined && toDigits(failed.msisdn) === msisdn;
    return {
      screen: "failed",
      error: failed?.error ?? "INTERNAL_ERROR",
      msisdn: isSamePhone ? msisdn : undefined,
      notice,
    };
  }
  return msisdn === undefined
    ? { screen: "phone", notice }
    : { screen: "code", msisdn, code, notice };
}
