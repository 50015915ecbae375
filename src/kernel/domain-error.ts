import { inLanguage, type Said } from "./language.ts";

/** What kind of problem it is. `http/error-response.ts` is the one place where a kind becomes a status. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "insufficient-funds"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "timed-out"
  | "conflict"
  | "gone"
  | "too-large"
  | "unsupported"
  | "expectation-failed"
  | "unprocessable"
  | "rate-limited"
  | "internal"
  | "unavailable";

export interface ErrorDetail {
  readonly field?: string;
  /** The row of a batch, counted from 0. */
  readonly index?: number;
  readonly code: string;
  readonly message: Said;
  /** The transaction or charge that is already there, so that a caller that timed out can go and look. */
  readonly id?: string;
}

/** An answer says so much and no more; who has more wrong than that corrects these first. */
export const detailsMax = 100;

/**
 * A failure the caller can understand and act on. Anything else that is thrown is our bug and
 * becomes a 500 with the details in the log and none in the answer.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable snake_case word; never changed once published. Listed in docs/errors.md. */
  abstract readonly code: string;
  /** The message for the caller, in the caller's language; `message` is the English one, for the log. */
  readonly said: Said;
  readonly details: readonly ErrorDetail[] | undefined;
  /** When the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    said: Said,
    options?: ErrorOptions & {
      readonly details?: readonly ErrorDetail[];
      readonly retryAfterSeconds?: number;
    },
  ) {
    super(inLanguage("en", said), options);
    this.said = said;
    this.name = new.target.name;
    this.details = options?.details?.slice(0, detailsMax);
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}
