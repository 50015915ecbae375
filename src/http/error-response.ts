import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { DomainError, type ErrorDetail, type ErrorKind } from "../kernel/domain-error.ts";
import { inLanguage, type Language, preferredLanguage } from "../kernel/language.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";
import { BodyTooLarge, InternalError, MalformedRequest, UnsupportedMediaType } from "./errors.ts";
import { InvalidJson } from "./json/errors.ts";
import { invalidRequest, toDetails } from "./validation.ts";

/** The one place where an error becomes a status. */
const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  "insufficient-funds": 402,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "timed-out": 408,
  conflict: 409,
  "too-large": 413,
  "expectation-failed": 417,
  unsupported: 415,
  gone: 410,
  unprocessable: 422,
  "rate-limited": 429,
  internal: 500,
  unavailable: 503,
};

export const retryAfterSeconds = 1;

export interface ErrorBody {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string;
  readonly code: string;
  readonly docUrl: string;
  readonly correlationId: string;
  readonly path: string;
  readonly timestamp: string;
  readonly details?: readonly (ErrorDetail & { readonly message: string })[];
}

export function toErrorBody(
  error: DomainError,
  correlationId: string,
  path: string,
  docsUrl: string,
  language: Language = "en",
): ErrorBody {
  const statusCode = statusOf[error.kind];
  return {
    statusCode,
    error: STATUS_CODES[statusCode] ?? "Error",
    message: inLanguage(language, error.said),
    code: error.code,
    docUrl: `${docsUrl}?lang=${language}#e-${error.code}`,
    correlationId,
    path,
    timestamp: new Date().toISOString(),
    ...(error.details === undefined
      ? {}
      : {
          details: error.details.map((detail) => ({
            ...detail,
            message: inLanguage(language, detail.message),
          })),
        }),
  };
}

/** The reference of the API, where every code of an error has its place. */
export function docsUrlOf(publicUrl: string): string {
  return `${withoutSlashes(publicUrl)}/docs`;
}

export async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const body = prepareError(error, request, reply);
  await reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

/** Status, headers and log line of an error; how its body is written is left to who answers. */
export function prepareError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorBody {
  const known = toDomainError(error, request);
  const path = pathOf(request.originalUrl);
  const body = toErrorBody(known, request.id, path, request.server.docsUrl, languageOf(request));
  reply.header("x-correlation-id", request.id);
  if (known.kind === "internal") request.log.error({ err: error }, "request failed");
  else if (known.kind === "unavailable")
    request.log.warn({ code: known.code, cause: causeOf(known) }, "request refused");
  if (known.kind === "unavailable") reply.header("retry-after", retryAfterSeconds);
  if (known.retryAfterSeconds !== undefined) reply.header("retry-after", known.retryAfterSeconds);
  if (known.kind === "unauthenticated") reply.header("www-authenticate", 'Bearer realm="cauri"');
  reply.code(body.statusCode);
  return body;
}

/** English unless the caller prefers another language that is spoken here. */
export function languageOf({ headers }: Pick<IncomingMessage, "headers">): Language {
  return preferredLanguage(headers["accept-language"]) ?? "en";
}

/** An address without its query, which may hold a phone number. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function toDomainError(error: unknown, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof Error)) return new InternalError({ cause: error });
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>;
  if (validation !== undefined)
    return invalidRequest(toDetails(validation, validationContext), request.body);
  const limit = passedLimit(error, request);
  if (limit !== undefined) return new BodyTooLarge(limit);
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new UnsupportedMediaType();
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH")
    return new InvalidJson(undefined, { cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new MalformedRequest();
  return new InternalError({ cause: error });
}

/** How many bytes the address accepts, when an error is that there were more. */
export function passedLimit(error: unknown, request: FastifyRequest): number | undefined {
  const isPassed =
    error instanceof Error && (error as FastifyError).code === "FST_ERR_CTP_BODY_TOO_LARGE";
  return isPassed ? request.routeOptions.bodyLimit : undefined;
}

function causeOf(error: Error): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
