import { Ajv, type ErrorObject } from "ajv";
import type { FastifyRequest, FastifySchemaValidationError } from "fastify";
import { detailsMax, type ErrorDetail } from "../kernel/domain-error.ts";
import { InvalidRequest } from "./errors.ts";

// Every problem is reported, not the first only. Bodies are never coerced
// ("5000" is not an amount); a query string has only text, so there numbers are read from it.
const options = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: false,
  verbose: true,
} as const;
const strictAjv = new Ajv({ ...options, coerceTypes: false });
// "1e400" is read as Infinity, which a strict validator takes for no number and compares with no bound.
const coercingAjv = new Ajv({ ...options, coerceTypes: true, strictNumbers: false });

export function compileValidator({
  schema,
  httpPart,
}: {
  schema: unknown;
  httpPart?: string | undefined;
}) {
  return (httpPart === "querystring" ? coercingAjv : strictAjv).compile(schema as object);
}

/** Turns what the validator found into sentences a person can act on, tied to field and row. */
export function toDetails(errors: readonly FastifySchemaValidationError[]): ErrorDetail[] {
  return errors.slice(0, detailsMax).map((error) => toDetail(error as ErrorObject));
}

/** What the schema found wrong with a body; anything else it found is thrown as it is. */
export function bodyFindings(request: FastifyRequest): ErrorDetail[] {
  const { validationError } = request;
  if (validationError === undefined) return [];
  if (validationError.validationContext !== "body") throw validationError;
  return toDetails(validationError.validation);
}

/** One message for all: the only problem, or how many rows or fields are wrong. */
export function invalidRequest(details: readonly ErrorDetail[], body: unknown): InvalidRequest {
  const rows = new Set(details.flatMap(({ index }) => (index === undefined ? [] : [index])));
  const [first] = details;
  if (rows.size > 0) {
    const total =
      (body as { transactions?: unknown[] } | undefined)?.transactions?.length ?? rows.size;
    return new InvalidRequest(
      `${rows.size} of ${total} transactions are not valid; nothing was sent. See details.`,
      details,
    );
  }
  const message = details.map((detail) => detail.message).join(" ");
  return new InvalidRequest(
    message === "" || first === undefined ? "The request is not valid." : message,
    details,
  );
}

function toDetail(error: ErrorObject): ErrorDetail {
  const parts = error.instancePath.split("/").slice(1);
  if (error.keyword === "required") parts.push(String(error.params["missingProperty"]));
  const isRow = parts[0] === "transactions" && /^\d+$/.test(parts[1] ?? "");
  const field = (isRow ? parts.slice(2) : parts).join(".");
  return {
    ...(field === "" ? {} : { field }),
    ...(isRow ? { index: Number(parts[1]) } : {}),
    code: codeOf(error),
    message: sentenceOf(field === "" ? (isRow ? "The transaction" : "The body") : field, error),
  };
}

function codeOf(error: ErrorObject): string {
  if (error.keyword === "required") return "required";
  return error.keyword === "type" ? "wrong_type" : "invalid";
}

function sentenceOf(field: string, error: ErrorObject): string {
  if (error.keyword === "required") return `${field} is required.`;
  if (error.keyword === "const")
    return `${field} must be "${String(error.params["allowedValue"])}".`;
  if (error.keyword === "type")
    return `${field} must be ${[error.params["type"]].flat().map(String).join(" or ")}.`;
  if (error.keyword === "pattern") {
    const { description } = (error.parentSchema ?? {}) as { description?: string };
    return `${field} is not in the right form${description === undefined ? "." : `: ${description}`}`;
  }
  return `${field} ${error.message ?? "is not valid"}.`;
}
