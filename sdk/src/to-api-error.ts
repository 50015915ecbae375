import type { ErrorBody } from "./api.ts";
import {
  type AnswerFacts,
  type ApiError,
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InsufficientFundsError,
  InternalError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  UnavailableError,
  UnprocessableError,
} from "./errors.ts";

type ErrorClass = new (facts: AnswerFacts) => ApiError;

const byStatus: Readonly<Record<number, ErrorClass>> = {
  401: AuthenticationError,
  402: InsufficientFundsError,
  403: ForbiddenError,
  404: NotFoundError,
  408: UnavailableError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
  503: UnavailableError,
};

export function toApiError(facts: AnswerFacts): ApiError {
  return new (classOf(facts))(facts);
}

function classOf({ status, body }: AnswerFacts): ErrorClass {
  if (body.code === "insufficient_funds") return InsufficientFundsError;
  if (body.code === "idempotency_key_reused") return IdempotencyKeyReusedError;
  return byStatus[status] ?? (status >= 500 ? InternalError : InvalidRequestError);
}

/** Whether a body is the service's way of saying no. A proxy's is not. */
export function isErrorBody(value: unknown, status: number): value is ErrorBody {
  const body = value as Partial<ErrorBody> | null;
  return (
    typeof body === "object" &&
    typeof body?.code === "string" &&
    typeof body.message === "string" &&
    body.statusCode === status
  );
}
