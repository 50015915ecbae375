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
  readonly message: string;
  /** The transaction or charge that is already there, so that a caller that timed out can go and look. */
  readonly id?: string;
}

/**
 * A failure the caller can understand and act on. Anything else that is thrown is our bug and
 * becomes a 500 with the details in the log and none in the answer.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable snake_case word; never changed once published. Listed in docs/errors.md. */
  abstract readonly code: string;
  readonly details: readonly ErrorDetail[] | undefined;
  /** When the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    options?: ErrorOptions & {
      readonly details?: readonly ErrorDetail[];
      readonly retryAfterSeconds?: number;
    },
  ) {
    super(message, options);
    this.name = new.target.name;
    this.details = options?.details;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}
