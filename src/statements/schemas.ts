import { Type } from "typebox";
import { ListQuery, listOf, nullable, Timestamp } from "../http/schemas.ts";
import { lineKinds } from "./statement.ts";

const pageLimitMax = 1_000;
const Kind = Type.String({
  enum: [...lineKinds],
  description: "What the money moved for; other is what this release does not know.",
});
const hex64 = { pattern: "^[0-9a-f]{64}$" };

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", examples: ["2026-01-31"] });

export const StatementQuerySchema = Type.Object({
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        "A day in the company's time zone, or a moment in ISO 8601, included. From the beginning when absent.",
      examples: ["2026-01-01"],
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "A day or a moment, included. Up to now when absent.",
      examples: ["2026-01-31"],
    }),
  ),
  subCompanyId: Type.Optional(
    Type.String({ maxLength: 100, description: "Its lines alone, and what they sum to." }),
  ),
  ...ListQuery,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageLimitMax,
      description: "Lines per page; 15 when absent.",
    }),
  ),
});

const lineExample = {
  number: 4211,
  at: "2026-01-31T09:15:00.120Z",
  kind: "transfer",
  amount: -5050,
  fee: 50,
  balanceAfter: 994950,
  id: "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  chargeId: null,
  reference: "salary-2026-01-awa",
  externalId: null,
  serviceTransactionReference: "1JB2-K4ZQ-7M3N-VX0A",
  msisdn: "2250700000000",
  subCompanyId: null,
  subCompanyName: null,
  batchId: null,
  memo: "January",
};

const StatementLineSchema = Type.Object(
  {
    number: Type.Integer({ description: "Of the posting. Grows from line to line, with gaps." }),
    at: Timestamp,
    kind: Kind,
    amount: Type.Integer({ description: "The signed change of the balance, fee included." }),
    fee: Type.Integer({
      description: "How much of it was a fee: paid when positive, given back when negative.",
    }),
    balanceAfter: Type.Integer(),
    id: Type.String({ description: "Of the transaction, payment, refund or funding." }),
    chargeId: nullable<string>("string"),
    reference: nullable<string>("string"),
    externalId: nullable<string>("string"),
    serviceTransactionReference: nullable<string>("string"),
    msisdn: nullable<string>("string"),
    subCompanyId: nullable<string>("string"),
    subCompanyName: nullable<string>("string"),
    batchId: nullable<string>("string"),
    memo: nullable<string>("string"),
  },
  { $id: "StatementLine", title: "StatementLine", examples: [lineExample] },
);

const lines = listOf(Type.Ref("StatementLine#"));

const StatementSchema = Type.Object(
  {
    from: nullable<string>("string", {
      description: "The first moment; null: from the beginning.",
    }),
    to: nullable<string>("string", { description: "The last moment; null: up to now." }),
    currency: Type.String({ examples: ["XOF"] }),
    openingBalance: Type.Integer({
      description: "Before the first line. Of a sub-company: what its lines before sum to.",
    }),
    closingBalance: Type.Integer({ description: "openingBalance and all lines, of every page." }),
    totals: Type.Array(
      Type.Object({
        kind: Kind,
        count: Type.Integer(),
        amount: Type.Integer(),
        fee: Type.Integer(),
      }),
      { description: "Of all lines, of every page, by kind." },
    ),
    count: Type.Integer({ description: "Lines in data." }),
    limit: Type.Integer(),
    cursor: Type.Object({
      prev: nullable<string>("string", { description: "Towards earlier lines." }),
      next: nullable<string>("string", {
        description: "Towards later lines of the same statement, cut where this one is.",
      }),
    }),
    data: lines.properties.data,
  },
  { $id: "Statement", title: "Statement" },
);

/** The last entry of an audit log, which stands for all before it. Seals of earlier releases name none. */
const SealedTrail = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        number: Type.Integer({ description: "Of the last entry when the day was sealed." }),
        hash: Type.String({
          ...hex64,
          description: "Stands for that entry and for every one before it.",
        }),
      },
      { description },
    ),
  );

const SealSchema = Type.Object(
  {
    companyId: Type.String(),
    day: Day,
    until: Type.String({
      format: "date-time",
      description: "When that day was over in the company's time zone.",
    }),
    number: Type.Integer({ description: "Of the last posting of that day." }),
    balance: Type.Integer({ description: "After it." }),
    hash: Type.String({
      ...hex64,
      description: "Stands for that posting and for every one before it.",
    }),
    trail: SealedTrail("How far the company's audit log was."),
    installation: SealedTrail(
      "How far the audit log was of what concerns no company; it names those of people and customers.",
    ),
    keyId: Type.String({ description: "Which of the operator's keys signed." }),
    publicKey: Type.String({ description: "That key: 32 bytes of Ed25519 in base64." }),
    signature: Type.String({ description: "Ed25519, in base64; see docs/statements.md." }),
  },
  { $id: "Seal", title: "Seal" },
);

/** The body of a notification. */
const StatementSealedSchema = Type.Object(
  { data: Type.Ref("Seal#"), topic: Type.Literal("statements/sealed") },
  { $id: "StatementSealed", title: "Notification of statements/sealed" },
);

export const LedgerKeysSchema = Type.Object(
  {
    algorithm: Type.Literal("Ed25519"),
    keys: Type.Array(
      Type.Object({
        id: Type.String({ description: "The first 32 digits of the key's SHA-256." }),
        publicKey: Type.String({ description: "32 bytes in base64." }),
        createdAt: Timestamp,
      }),
      { description: "Newest first: the first one signs, the others have signed before." },
    ),
  },
  { description: "The keys." },
);

/** What the document names, and refers to by that name. */
export const statementSchemas = [
  StatementLineSchema,
  StatementSchema,
  SealSchema,
  StatementSealedSchema,
];
