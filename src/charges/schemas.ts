import { Type } from "typebox";
import {
  Msisdn,
  NewCurrency,
  NewMetadata,
  NewReference,
  nullable,
  nullableWord,
  storableText,
  Timestamp,
} from "../http/schemas.ts";
import { chargeStatuses, droppedReasons, paymentErrors } from "./charge.ts";

const transactionExample = {
  id: "019b2d60-1f4e-7c0f-8000-b2c3d4e5f6a1",
  createdAt: "2026-01-31T09:15:58.606Z",
  recipientMsisdn: "+2250700000000",
  providerTransactionReference: "1JB2-K4ZQ-7M3N-VX0A",
  amount: 15_000,
  service: "wallet",
  status: "completed",
  type: "payment",
  error: null,
};

const requestExample = {
  amount: 15_000,
  externalId: "order-2026-0142",
  description: "Order 142",
  onCanceledRedirectionUrl: "https://shop.example.com/cart",
  onCompletedRedirectionUrl: "https://shop.example.com/thanks?order=142",
  metadata: { table: "7" },
};

const chargeExample = {
  id: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  expiresAt: "2026-01-31T10:15:00.000Z",
  paidAt: null,
  externalId: requestExample.externalId,
  description: requestExample.description,
  currency: "XOF",
  amount: 15_000,
  due: 15_000,
  fees: { currency: "XOF", rate: 0.01, value: 150 },
  status: "created",
  droppedReason: null,
  paid: 0,
  refunded: 0,
  attempts: 0,
  metadata: requestExample.metadata,
  paymentUrl:
    "http://127.0.0.1:8080/pay/AZstXzp8fA-AAKGyw9Tl9gGbLV86fHwPgACxssPU5fYJ2yWmE0u7pQe4rRk1XoZc",
  transactions: [],
};

const paidExample = {
  ...chargeExample,
  updatedAt: transactionExample.createdAt,
  paidAt: transactionExample.createdAt,
  due: 0,
  status: "paid",
  paid: 15_000,
  attempts: 1,
  transactions: [transactionExample],
};

const chargeFields = {
  id: Type.String({ description: "The charge's id.", examples: [chargeExample.id] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
  paidAt: nullable<string>("string", {
    format: "date-time",
    description: "When it was paid; null until then.",
  }),
  externalId: Type.String({ description: "The caller's own, unique for ever." }),
  description: Type.String(),
  currency: Type.String({ examples: ["XOF"] }),
  amount: Type.Integer({ description: "Whole francs to collect." }),
  due: Type.Integer({ description: "What is not paid: amount, or 0 once paid." }),
  fees: Type.Object(
    {
      currency: Type.String(),
      rate: Type.Number({ description: "A share of the amount." }),
      value: Type.Integer({ description: "Whole francs, half up." }),
    },
    { description: "The company is credited amount less value; refunds give back their share." },
  ),
  status: Type.String({
    enum: ["created", ...chargeStatuses],
    description: "created in the answer to the creation, never later.",
  }),
  droppedReason: nullableWord(
    droppedReasons,
    "Null unless dropped: its time was over, or the payer gave up.",
  ),
  paid: Type.Integer(),
  refunded: Type.Integer(),
  attempts: Type.Integer({ description: "Attempts to pay, failed ones included." }),
  metadata: Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "As given; {} when none was.",
  }),
  paymentUrl: Type.String({ description: "Where to send the payer." }),
  transactions: Type.Array(Type.Ref("ChargeTransaction#"), {
    description: "Payments, failed ones included, and refunds, in the order they happened.",
  }),
  subCompanyId: Type.Optional(
    Type.String({ description: "Present when asked on behalf of a sub-company." }),
  ),
};

const ChargeTransactionSchema = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    recipientMsisdn: Type.String({ description: "The payer, as written when paying." }),
    providerTransactionReference: Type.String({ description: "What the payer sees." }),
    amount: Type.Integer(),
    service: Type.String({ description: "What was paid with.", examples: ["wallet"] }),
    status: Type.String({ enum: ["pending", "completed", "failed"] }),
    type: Type.String({ enum: ["payment", "refund"] }),
    error: nullableWord(paymentErrors, "Null unless failed."),
    reason: Type.Optional(
      Type.String({
        description: "The reason of a refund, as the caller wrote it. Absent when none was given.",
      }),
    ),
  },
  { $id: "ChargeTransaction", title: "Charge transaction", examples: [transactionExample] },
);

const ChargeSchema = Type.Object(chargeFields, {
  $id: "Charge",
  title: "Charge",
  examples: [chargeExample],
});

const PaidChargeSchema = Type.Object(
  {
    ...chargeFields,
    webRedirectionUrl: Type.String({
      description:
        "Where the payer's browser would go now: the company's own address, with chargeId and externalId in the query; the payment page while the charge is due.",
    }),
  },
  {
    $id: "PaidCharge",
    title: "Charge after a simulated payment",
    examples: [
      {
        ...paidExample,
        webRedirectionUrl: `${requestExample.onCompletedRedirectionUrl}&chargeId=${chargeExample.id}&externalId=${requestExample.externalId}`,
      },
    ],
  },
);

/** The body of a notification: exactly the fields the interface lists. */
const ChargeEventSchema = Type.Object(
  {
    data: Type.Object({
      id: chargeFields.id,
      externalId: chargeFields.externalId,
      description: chargeFields.description,
      currency: chargeFields.currency,
      amount: chargeFields.amount,
      due: chargeFields.due,
      status: Type.String({ enum: chargeStatuses.filter((status) => status !== "due") }),
      droppedReason: chargeFields.droppedReason,
      paid: chargeFields.paid,
      refunded: chargeFields.refunded,
      attempts: chargeFields.attempts,
      metadata: chargeFields.metadata,
    }),
    topic: Type.Literal("charge/events"),
  },
  { $id: "ChargeEvent", title: "Notification of charge/events" },
);

/** What the document names, and refers to by that name. */
export const chargeSchemas = [
  ChargeTransactionSchema,
  ChargeSchema,
  PaidChargeSchema,
  ChargeEventSchema,
];

const text = (min: number, max: number) => ({
  minLength: min,
  maxLength: max,
  pattern: storableText,
  description: `${min} to ${max} characters.`,
});

const RedirectionUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: storableText,
  description:
    "An http or https URL of at most 2048 characters; localhost only outside production.",
});

/** Unknown fields are accepted, because real clients send more than they need. */
export const NewChargeSchema = Type.Object(
  {
    // The bounds are the company's own, so they are checked where the company is known.
    amount: Type.Integer({
      description: "Whole francs; 1 to 200 000 000 unless agreed otherwise.",
    }),
    currency: NewCurrency,
    externalId: NewReference,
    description: Type.String(text(1, 1_000)),
    onCanceledRedirectionUrl: RedirectionUrl,
    onCompletedRedirectionUrl: RedirectionUrl,
    metadata: NewMetadata,
    subCompanyId: Type.Optional(nullable<string>("string", { maxLength: 100 })),
  },
  { examples: [requestExample] },
);

export const PaySchema = Type.Object(
  {
    recipientMsisdn: Msisdn,
  },
  { examples: [{ recipientMsisdn: transactionExample.recipientMsisdn }] },
);

/**
 * The one body in which nothing may stand that is not known: without an amount everything is given back, so one that was
 * misspelled, or went missing on its way, must not be taken for none.
 */
export const RefundSchema = Type.Object(
  {
    amount: Type.Optional(
      Type.Integer({ minimum: 1, description: "Whole francs; all that is left when absent." }),
    ),
    reason: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: storableText,
        description: "Why, at most 255 characters: kept, and shown with the refund.",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ amount: 5_000, reason: "Returned goods" }] },
);
