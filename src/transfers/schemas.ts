import { type TProperties, Type } from "typebox";
import {
  idSchema,
  Msisdn,
  NewCurrency,
  NewMetadata,
  NewReference,
  nullable,
  nullableWord,
  storableText,
  Timestamp,
} from "../http/schemas.ts";
import type { Topic } from "../webhooks/event.ts";
import { batchRowsMax, batchStatuses } from "./batch.ts";
import { failureReasons, transferStatuses } from "./transfer.ts";

const transactionExample = {
  id: "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  amount: 25_000,
  fee: 0,
  totalAmount: 25_000,
  msisdn: "+2250700000000",
  status: "pending",
  reference: "salary-2026-01-awa",
  serviceTransactionReference: "1JB2-K4ZQ-7M3N-VX0A",
  type: "transfer",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  failureReason: null,
  metadata: { employee: "117" },
  description: "January salary",
};

const requestExample = {
  type: "transfer",
  amount: 25_000,
  msisdn: "+2250700000000",
  reference: "salary-2026-01-awa",
  description: "January salary",
  metadata: { employee: "117" },
};

const transactionFields = {
  id: idSchema("txn", "transaction"),
  amount: Type.Integer({ description: "Whole francs (XOF)." }),
  fee: Type.Integer(),
  totalAmount: Type.Integer({ description: "amount + fee." }),
  msisdn: Type.String({ description: "As the caller wrote it." }),
  status: Type.String({ enum: [...transferStatuses] }),
  reference: Type.String({ description: "The caller's own, unique for ever." }),
  serviceTransactionReference: Type.String({ description: "What the recipient sees." }),
  type: Type.String({ enum: ["transfer"] }),
  batchId: Type.Optional(Type.String({ description: "Present when sent as part of a batch." })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  failureReason: nullableWord(failureReasons, "Null unless failed."),
  metadata: nullable<object>("object", { additionalProperties: true }),
  description: nullable<string>("string"),
  subCompanyId: Type.Optional(
    Type.String({ description: "Present when sent on behalf of a sub-company." }),
  ),
};

const TransactionSchema = Type.Object(transactionFields, {
  $id: "Transaction",
  title: "Transaction",
  examples: [transactionExample],
});

const {
  metadata: _metadata,
  subCompanyId: _subCompanyId,
  serviceTransactionReference,
  batchId,
  ...toldFields
} = transactionFields;

/** The body of a notification: exactly the fields the interface lists for its topic. */
function notificationSchema<Fields extends TProperties>(id: string, topic: Topic, fields: Fields) {
  const data = Type.Object({ ...toldFields, ...fields });
  return Type.Object(
    { data, topic: Type.Literal(topic) },
    { $id: id, title: `Notification of ${topic}` },
  );
}

const notificationSchemas = [
  notificationSchema("TransactionStarted", "transactions/started", {
    status: Type.Literal("pending"),
    failureReason: Type.Null(),
  }),
  notificationSchema("TransactionCompleted", "transactions/completed", {
    status: Type.Literal("completed"),
    failureReason: Type.Null(),
    batchId,
    serviceTransactionReference,
  }),
  notificationSchema("TransactionFailed", "transactions/failed", {
    status: Type.Literal("failed"),
    failureReason: Type.String({ enum: [...failureReasons] }),
    batchId,
  }),
];

const batchFields = {
  id: idSchema("bat", "batch"),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  totalAmount: Type.Integer(),
  totalFee: Type.Integer(),
  status: Type.String({ enum: [...batchStatuses] }),
  subCompanyId: Type.Optional(Type.String()),
  count: Type.Integer({ description: "Transactions in the batch." }),
  completedCount: Type.Integer(),
  failedCount: Type.Integer(),
  completedAmount: Type.Integer({ description: "Whole francs paid out so far, without fees." }),
  failedAmount: Type.Integer({ description: "Whole francs that failed so far, without fees." }),
  completedFee: Type.Integer({ description: "Fees of what was paid out so far." }),
};

const batchExample = {
  id: "bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  totalAmount: 25_000,
  totalFee: 0,
  status: "processing",
  count: 1,
  completedCount: 0,
  failedCount: 0,
  completedAmount: 0,
  failedAmount: 0,
  completedFee: 0,
};

const BatchSummarySchema = Type.Object(batchFields, {
  $id: "BatchSummary",
  title: "Batch without its transactions",
  examples: [batchExample],
});

const BatchSchema = Type.Object(
  {
    ...batchFields,
    transactionsTruncated: Type.Optional(
      Type.Boolean({
        description: "Present and true when there are more transactions than are shown here.",
      }),
    ),
    transactions: Type.Array(Type.Ref("Transaction#")),
  },
  {
    $id: "Batch",
    title: "Batch",
    examples: [{ ...batchExample, transactions: [transactionExample] }],
  },
);

const BatchCompletedSchema = Type.Object(
  {
    data: Type.Object({
      ...batchFields,
      status: Type.String({ enum: batchStatuses.filter((status) => status !== "processing") }),
      completedAt: Timestamp,
    }),
    topic: Type.Literal("batches/completed" satisfies Topic),
  },
  { $id: "BatchCompleted", title: "Notification of batches/completed" },
);

/** What the document names, and refers to by that name. */
export const transferSchemas = [
  TransactionSchema,
  BatchSchema,
  BatchSummarySchema,
  ...notificationSchemas,
  BatchCompletedSchema,
];

/** Unknown fields are accepted, because real clients send more than they need. */
const newTransferFields = {
  // The bounds are the company's own, so they are checked where the company is known.
  amount: Type.Integer({ description: "Whole francs; 5 000 to 500 000 unless agreed otherwise." }),
  msisdn: Msisdn,
  reference: NewReference,
  currency: NewCurrency,
  metadata: NewMetadata,
  description: Type.Optional(
    nullable<string>("string", { maxLength: 1_000, pattern: storableText }),
  ),
  subCompanyId: Type.Optional(nullable<string>("string", { maxLength: 100 })),
};

export const NewTransactionSchema = Type.Object(
  { type: Type.Literal("transfer"), ...newTransferFields },
  { examples: [requestExample] },
);

const rowCounts = { minItems: 1, maxItems: batchRowsMax };
const batchRequestFields = {
  currency: NewCurrency,
  subCompanyId: Type.Optional(nullable<string>("string", { maxLength: 100 })),
};

export const BatchRowSchema = Type.Object({
  type: Type.Optional(Type.Literal("transfer")),
  ...newTransferFields,
});

/** A batch without a look at its rows: those are checked one by one, up to the first hundred problems. */
export const BatchFrameSchema = Type.Object({
  transactions: Type.Array(Type.Unknown(), rowCounts),
  ...batchRequestFields,
});

export const NewBatchSchema = Type.Object(
  { transactions: Type.Array(BatchRowSchema, rowCounts), ...batchRequestFields },
  {
    examples: [
      {
        transactions: [
          {
            amount: 25_000,
            msisdn: "2250700000000",
            reference: "salary-2026-01-awa",
            description: "January salary",
          },
          { amount: 30_000, msisdn: "2250700000000", reference: "salary-2026-01-moussa" },
        ],
      },
    ],
  },
);
