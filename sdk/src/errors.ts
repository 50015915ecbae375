import type { ErrorBody, ErrorCode } from "./api.ts";

export interface ErrorFacts extends ErrorOptions {
  /** Names the request in the service's log. */
  readonly correlationId?: string | undefined;
}

/** Whatever this package throws is one of these. `kind` says which, also where a bundler has renamed the classes. */
export abstract class CauriError extends Error {
  abstract readonly kind: string;
  readonly correlationId: string | undefined;
  /** The same call may be made again, and may succeed a little later. Never where the outcome is unknown: that takes its key. */
  readonly isTemporary: boolean = false;

  constructor(message: string, { correlationId, ...options }: ErrorFacts = {}) {
    super(message, options);
    this.name = new.target.name;
    this.correlationId = correlationId;
  }
}

/** The call cannot be made like this; nothing was sent. */
export class InvalidArgumentError extends CauriError {
  readonly kind = "invalid_argument";
}

export interface AnswerFacts extends ErrorFacts {
  readonly status: number;
  readonly body: ErrorBody;
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** The service refused, in its own words. Nothing was done. */
export abstract class ApiError extends CauriError {
  readonly status: number;
  /** A stable word; new ones may be added. */
  readonly code: ErrorCode | (string & {});
  /** What was wrong with which field, and with which row of a batch. */
  readonly details: NonNullable<ErrorBody["details"]>;
  readonly retryAfterMs: number | undefined;
  /** Where the code is explained. */
  readonly docUrl: string | undefined;

  constructor({ status, body, retryAfterMs, ...facts }: AnswerFacts) {
    super(body.message, { correlationId: body.correlationId, ...facts });
    this.status = status;
    this.code = body.code;
    const details: unknown = body.details;
    this.details = Array.isArray(details)
      ? details.filter((one) => typeof one?.message === "string" && isTextOrAbsent(one.field))
      : [];
    this.retryAfterMs = retryAfterMs;
    const docUrl: unknown = "docUrl" in body ? body.docUrl : undefined;
    this.docUrl = typeof docUrl === "string" ? docUrl : undefined;
  }
}

/** 400 and its like: something in the request is missing or not valid. */
export class InvalidRequestError extends ApiError {
  readonly kind = "invalid_request";
}

/** 401: the access token is missing or not valid. */
export class AuthenticationError extends ApiError {
  readonly kind = "authentication";
}

/** The balance does not cover it. */
export class InsufficientFundsError extends ApiError {
  readonly kind = "insufficient_funds";
}

/** 403: another company's id, or the account is frozen. */
export class ForbiddenError extends ApiError {
  readonly kind = "forbidden";
}

/** 404: this account has no such thing. */
export class NotFoundError extends ApiError {
  readonly kind = "not_found";
}

/** 409: the reference or externalId was used before, by another request. */
export class ConflictError extends ApiError {
  readonly kind = "conflict";

  /** The transaction or charge that has it. */
  get existingId(): string | undefined {
    return this.details.find(({ id }) => id !== undefined)?.id;
  }
}

/** 422: understood, and not possible now. */
export class UnprocessableError extends ApiError {
  readonly kind = "unprocessable";
}

/** 422 idempotency_key_reused: the key belongs to another request. */
export class IdempotencyKeyReusedError extends ApiError {
  readonly kind = "idempotency_key_reused";
}

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  readonly kind = "rate_limit";
  override readonly isTemporary: boolean = true;
}

/** 503 and 408: the service cannot take the request on right now. */
export class UnavailableError extends ApiError {
  readonly kind = "unavailable";
  override readonly isTemporary: boolean = true;
}

/** 500: a mistake of the service. Thrown by reads; a write throws OutcomeUnknownError instead. */
export class InternalError extends ApiError {
  readonly kind = "internal";
  override readonly isTemporary: boolean = true;
}

/** No answer came. A write throws it only if the request never left; otherwise OutcomeUnknownError. */
export class ConnectionError extends CauriError {
  readonly kind: "connection" | "timeout" = "connection";
  override readonly isTemporary: boolean = true;
}

/** No whole answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly kind = "timeout";
}

/** An answer came that is not the service's: another server's page, a redirect, half of a body, another request's answer. */
export class UnexpectedAnswerError extends CauriError {
  readonly kind = "unexpected_answer";
  readonly status: number;
  /** Half an answer, or a proxy that could not get one. A redirect or a refusal of somebody else stays. */
  override readonly isTemporary: boolean;

  constructor(message: string, { status, ...facts }: ErrorFacts & { readonly status: number }) {
    super(message, facts);
    this.status = status;
    this.isTemporary = status >= 500 || (status >= 200 && status < 300);
  }
}

/** The caller's signal ended it; `cause` is the signal's reason. */
export class AbortedError extends CauriError {
  readonly kind = "aborted";
}

/**
 * A write was sent, and it is not known whether it took effect. Never take it for a failure. Make the same call again
 * with `idempotencyKey` in its options: what was done is answered again, what was not is done now.
 */
export class OutcomeUnknownError extends CauriError {
  readonly kind = "outcome_unknown";
  /** Undefined for calls that take none (updating, deleting, redelivering): read the thing again instead. */
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;

  constructor(facts: ErrorFacts & { idempotencyKey: string | undefined; attempts: number }) {
    const { idempotencyKey, attempts, ...rest } = facts;
    const next =
      idempotencyKey === undefined
        ? "Read it again to see."
        : `Make the same call again with { idempotencyKey: "${idempotencyKey}" }: it will not happen twice.`;
    super(`It is not known whether this request took effect. ${next}${lastWords(rest)}`, rest);
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
  }
}

/** Waiting is over and it is still pending, or could not be read. It has not failed. */
export class NotSettledError<Thing = unknown> extends CauriError {
  readonly kind = "not_settled";
  override readonly isTemporary: boolean = true;
  /** As it was when last seen. */
  readonly last: Thing | undefined;

  constructor(last: Thing | undefined, facts: ErrorFacts) {
    super(`Not settled yet; look again later.${lastWords(facts)}`, facts);
    this.last = last;
  }
}

export type VerificationReason =
  | "missing_header"
  | "malformed_header"
  | "missing_secret"
  | "parsed_body"
  | "no_match"
  | "too_old"
  | "too_new"
  | "not_json";

/** A request that does not prove to be the service's. Answer it with 401 or 400, and without the reason. */
export class WebhookVerificationError extends CauriError {
  readonly kind = "webhook_verification";
  readonly reason: VerificationReason;

  constructor(reason: VerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function lastWords({ cause }: ErrorFacts): string {
  return cause instanceof Error ? ` (${cause.message})` : "";
}
