import { type TSchema, Type } from "typebox";
import { msisdnPattern, msisdnQueryPattern } from "../kernel/msisdn.ts";

/** Text that PostgreSQL can store and give back unchanged: no NUL, no half of a surrogate pair. */
export const storableText = "^[^\\u0000\\ud800-\\udfff]*$";

export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC, milliseconds.",
  examples: ["2026-01-31T09:15:00.000Z"],
});

/** `type: [x, "null"]` instead of a union: shorter in the document, and what OpenAPI 3.1 generators like. */
export function nullable<Value>(
  type: "string" | "object" | "integer",
  more: Record<string, unknown> = {},
) {
  return Type.Unsafe<Value | null>({ type: [type, "null"], ...more });
}

/** One of these words, or null. */
export function nullableWord<Word extends string>(words: readonly Word[], description: string) {
  return nullable<Word>("string", { enum: [...words, null], description });
}

/** What a caller wants to have kept with a transaction or a charge. */
export const NewMetadata = Type.Optional(
  nullable<Record<string, unknown>>("object", {
    additionalProperties: true,
    description: "Any names and values, returned as given; at most 16 KB.",
  }),
);

export function idSchema(prefix: string, what: string) {
  return Type.String({
    description: `The ${what}'s id.`,
    examples: [`${prefix}_019b2d5f3a7c7c0f8000a1b2c3d4e5f6`],
  });
}

const msisdnDescription =
  "8 to 15 digits with country code, a leading + or none. None begins with 0; after 225 and 229 come ten digits, not eight as before.";

export const MsisdnQuery = Type.String({
  pattern: msisdnQueryPattern,
  description: msisdnDescription,
  examples: ["2250700000000"],
});

/** A filter also finds the numbers that earlier releases took: without a country code, or with eight digits after 225 and 229. */
export const msisdnFilterPattern = "^[+ ]?[0-9]{8,15}$";
export const MsisdnFilter = Type.String({
  pattern: msisdnFilterPattern,
  description: msisdnDescription,
  examples: ["2250700000000"],
});

export const Msisdn = Type.String({ pattern: msisdnPattern, description: msisdnDescription });

/** Text that a caller's own reference may be: what nobody sees at its ends, or cannot be seen at all, makes two of one. */
export const referencePattern =
  "^(?:[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff](?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff])?)?$";
export const NewReference = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: referencePattern,
  description:
    "1 to 255 characters, without blanks at the ends and without control characters. Unique for ever; compared in Unicode's form NFC.",
});

export const NewCurrency = Type.Optional(
  Type.Literal("XOF", { description: "May be left out: nothing else is accepted." }),
);

export const ListQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Rows per page; 15 when absent." }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "cursor.next or cursor.prev of another page.",
    }),
  ),
};

/** The list envelope of the interface. */
export function listOf(item: TSchema) {
  return Type.Object({
    count: Type.Integer({ description: "Rows in data." }),
    limit: Type.Integer(),
    cursor: Type.Object({
      prev: nullable<string>("string", {
        description: "Towards newer rows; null on the first page.",
      }),
      next: nullable<string>("string", {
        description: "Towards older rows; null on the last page.",
      }),
    }),
    data: Type.Array(item),
  });
}

export const ErrorSchema = Type.Object(
  {
    statusCode: Type.Integer({ examples: [400] }),
    error: Type.String({ description: "The HTTP reason phrase.", examples: ["Bad Request"] }),
    message: Type.String({
      description:
        "For a person: what was wrong and what is allowed. French when Accept-Language prefers it, else English.",
    }),
    code: Type.String({
      description: "A stable word for programs; see docs/errors.md.",
      examples: ["invalid_request"],
    }),
    docUrl: Type.String({
      description: "Where the reference of this installation tells of this error.",
      examples: ["http://127.0.0.1:8080/docs?lang=en#e-invalid_request"],
    }),
    correlationId: Type.String({ description: "Names this request in the service's log." }),
    path: Type.String(),
    timestamp: Timestamp,
    details: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.Optional(Type.String()),
          index: Type.Optional(Type.Integer({ description: "Row of a batch, from 0." })),
          code: Type.String(),
          message: Type.String(),
          id: Type.Optional(Type.String({ description: "What is already there, on a conflict." })),
        }),
      ),
    ),
  },
  { $id: "Error", title: "Error" },
);

const explained: Record<number, string> = {
  400: "Something in the request is missing or not valid.",
  401: "The access token is missing or not valid.",
  402: "The account balance is too low.",
  403: "X-Company-Id is not the token's company.",
  404: "There is nothing with this id.",
  409: "The reference was used before; details has the id of what is there.",
  410: "It was there, and is kept no longer.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  422: "The request was understood but cannot be carried out.",
  429: "Too many requests.",
  500: "Our mistake.",
  503: "Not able to serve right now; Retry-After says when to try again.",
};

/** The answers of a route: its success, the errors named, and those every authenticated route can give. */
export function responses(success: Record<number, unknown>, errors: readonly number[]) {
  const all = [...new Set([...errors, 400, 401, 403, 429, 500, 503])].toSorted((a, b) => a - b);
  return {
    ...success,
    ...Object.fromEntries(
      all.map((status) => [status, { description: explained[status] ?? "", $ref: "Error#" }]),
    ),
  };
}

/** The answers of a route that needs no token. */
export function publicResponses(success: Record<number, unknown>) {
  return {
    ...success,
    400: { description: "The request is not valid HTTP.", $ref: "Error#" },
    ...(503 in success ? {} : { 503: { description: explained[503] ?? "", $ref: "Error#" } }),
  };
}

export const security = [{ accessToken: [] }];

export const IdempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The same key with the same body answers the first answer again, for 30 days.",
    }),
  ),
});

/** A moment in a query string. */
export const MomentQuery = Type.String({
  maxLength: 40,
  description: "ISO 8601; this moment included.",
});
