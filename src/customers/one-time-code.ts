/** What a code is good for: signing in to a wallet, or paying one charge. */
export type CodePurpose = "wallet" | `charge:${string}`;

export type CodeKind = "wallet" | "payment";

export function kindOf(purpose: string): CodeKind {
  return purpose === "wallet" ? "wallet" : "payment";
}

/** Whose code, what for, and in which browser: a code is of no use to, and not affected by, any other. */
export interface CodeKey {
  /** Digits, with country code. */
  readonly msisdn: string;
  readonly purpose: CodePurpose;
  /** The hash of the browser's own secret. */
  readonly browser: Buffer;
}

export const codeTriesMax = 5;
export const codeLifetimeSeconds = 300;
export const codeSendsMax = 3;
export const codeSendPauseSeconds = 30;
/** The time in which the sends of a purpose are counted. */
export const codeSendsWindowSeconds = 3_600;
/** Wrong tries of fifty days, for one phone and kind: with them the chance to guess in SECURITY.md is computed. */
export const wrongTriesMax = 50;
export const wrongTriesWindowSeconds = 50 * 86_400;

export interface CodeSent {
  readonly kind: "sent";
  readonly codeId: string;
  readonly expiresAt: Date;
  /** False when the gateway gave no clear answer: the message may arrive or not. */
  readonly isCertain: boolean;
  /** How often another one may be asked for, and in how many seconds the next. */
  readonly sendsLeft: number;
  readonly resendInSeconds: number;
  /** Only where the phone is not reached (staging): to be shown, marked as a test. */
  readonly code: string | undefined;
}

/** Which limit stands in the way, and in how many seconds it no longer does. */
export interface CodeRefused {
  readonly kind: "refused";
  /**
   * pause: the last one was sent just now. purpose: three were sent. guesses: too many wrong codes were typed.
   * phone: the phone gets no more messages for now. busy: nor does anybody. abroad: its country gets none.
   */
  readonly limit: "pause" | "purpose" | "guesses" | "phone" | "busy" | "abroad";
  readonly retryInSeconds: number;
}

export type CodeCheck =
  | { readonly kind: "right"; readonly codeId: string }
  /** With no try left a code is not compared any more, so that even the right one is wrong. */
  | { readonly kind: "wrong"; readonly triesLeft: number }
  | { readonly kind: "expired" }
  /** Never sent to this browser, or already used. */
  | { readonly kind: "none" };

/** The code a person may hold in hand just now. */
export interface CurrentCode {
  readonly codeId: string;
  /** expired: its five minutes are over. exhausted: its five tries are. */
  readonly state: "good" | "expired" | "exhausted";
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly triesLeft: number;
  readonly sendsLeft: number;
  readonly resendInSeconds: number;
  /** As in CodeSent. */
  readonly code: string | undefined;
}
