import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifyRequest, FastifySchemaValidationError } from "fastify";
import { detailsMax, type ErrorDetail } from "../kernel/domain-error.ts";
import { composeSentence } from "../kernel/language.ts";
import { InvalidRequest, joinMessages } from "./errors.ts";
import { toSentence } from "./schema-sentences.ts";
import { schemaWords } from "./schema-words.ts";

// Every problem is reported, not the first only. Nothing is coerced ("5000" is not an amount); a query string has
// only text, so there numbers are read from it first.
const options = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: false,
  verbose: true,
  coerceTypes: false,
} as const;
const bodyAjv = new Ajv(options);
// Four hundred digits are read as Infinity, which a strict validator takes for no number and compares with no bound.
const queryAjv = new Ajv({ ...options, strictNumbers: false });

/** Compiling takes a millisecond each, and many routes have the same: a page of a list, an id in the address. */
const compiled = new Map<string, ValidateFunction>();

export function compileValidator({
  schema,
  httpPart,
}: {
  schema: unknown;
  httpPart?: string | undefined;
}): ValidateFunction {
  const isQuery = httpPart === "querystring";
  const key = `${isQuery} ${JSON.stringify(schema)}`;
  const validate =
    compiled.get(key) ??
    (isQuery ? compileQuery(schema as QuerySchema) : bodyAjv.compile(schema as object));
  compiled.set(key, validate);
  return validate;
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** A whole number has one spelling: "0x10", "1e1", "+16", " 16", "016" and "-0" are other numbers, or none, to a program in between. */
const wholeNumber = /^(?:0|-?[1-9]\d*)$/;

function compileQuery(schema: QuerySchema): ValidateFunction {
  const validate = queryAjv.compile(schema);
  const numbers = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === "integer" ? [name] : [],
  );
  const readThenValidate = (query: Record<string, unknown>): boolean => {
    for (const name of numbers) {
      const text = query[name];
      if (typeof text === "string" && wholeNumber.test(text)) query[name] = Number(text);
    }
    const isValid = validate(query);
    read.errors = validate.errors ?? null;
    return isValid;
  };
  const read = Object.assign(readThenValidate, validate);
  return read as ValidateFunction;
}

/** Turns what the validator found into sentences a person can act on, tied to field and row. */
export function toDetails(
  errors: readonly FastifySchemaValidationError[],
  part = "body",
): ErrorDetail[] {
  return errors.slice(0, detailsMax).map((error) => toDetail(error as ErrorObject, part));
}

/** What the schema found wrong with a body; anything else it found is thrown as it is. */
export function bodyFindings(request: FastifyRequest): ErrorDetail[] {
  const { validationError } = request;
  if (validationError === undefined) return [];
  if (validationError.validationContext !== "body") throw validationError;
  return toDetails(validationError.validation);
}

/** One message for all: what is wrong, or how many rows are. */
export function invalidRequest(details: readonly ErrorDetail[], body: unknown): InvalidRequest {
  const rows = new Set(details.flatMap(({ index }) => (index === undefined ? [] : [index])));
  if (rows.size > 0) {
    const total =
      (body as { transactions?: unknown[] } | undefined)?.transactions?.length ?? rows.size;
    const said = composeSentence((language) => schemaWords[language].badRows(rows.size, total));
    return new InvalidRequest(said, details);
  }
  const said =
    details.length > 0
      ? joinMessages(details)
      : composeSentence((language) => schemaWords[language].notValid);
  return new InvalidRequest(said, details);
}

/** An amount outside the bounds of its company, which no schema knows. */
export function amountOutOfRange(amount: number, min: number, max: number): ErrorDetail {
  const message = composeSentence((language) => {
    const { sentence, wrong, fromTo, types } = schemaWords[language];
    const problem = wrong[amount < min ? "minimum" : "maximum"] ?? "";
    return sentence("amount", problem, fromTo(types["integer"] ?? "", min, max));
  });
  return { field: "amount", code: "out_of_range", message };
}

/** Of a name that a caller made up, so much is said. */
const nameCharsMax = 100;

function toDetail(error: ErrorObject, part: string): ErrorDetail {
  const parts = error.instancePath.split("/").slice(1);
  const { missingProperty, additionalProperty } = error.params as Record<string, string>;
  const further = missingProperty ?? additionalProperty?.slice(0, nameCharsMax);
  if (further !== undefined) parts.push(further);
  const isRow = parts[0] === "transactions" && /^\d+$/.test(parts[1] ?? "");
  const name = (isRow ? parts.slice(2) : parts).join(".");
  const field = part === "headers" ? asHeader(name) : name;
  return {
    ...(field === "" ? {} : { field }),
    ...(isRow ? { index: Number(parts[1]) } : {}),
    code: codeOf(error),
    message: toSentence({ field, isRow, isQuery: part === "querystring" }, error),
  };
}

/** Node.js gives header names in small letters; people write them with capitals: Idempotency-Key. */
function asHeader(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function codeOf(error: ErrorObject): string {
  if (error.keyword === "required") return "required";
  if (error.keyword === "additionalProperties") return "unknown_field";
  return error.keyword === "type" ? "wrong_type" : "invalid";
}
