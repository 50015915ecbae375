import { type Topic, testTopic, topics } from "./event.ts";

/** What the OpenAPI document says of one notification. */
interface DescribedTopic {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The `$id` of the schema of its body. */
  readonly payload: string;
}

const described: Readonly<Record<Topic | typeof testTopic, DescribedTopic>> = {
  "transactions/started": {
    operationId: "onTransactionStarted",
    summary: "A transaction was accepted",
    description: "Its money is reserved, and it is queued to be carried out.",
    payload: "TransactionStarted",
  },
  "transactions/completed": {
    operationId: "onTransactionCompleted",
    summary: "A transaction was carried out",
    description: "The recipient has the money.",
    payload: "TransactionCompleted",
  },
  "transactions/failed": {
    operationId: "onTransactionFailed",
    summary: "A transaction could not be carried out",
    description: "Amount and fee are back on the account; failureReason says why.",
    payload: "TransactionFailed",
  },
  "batches/completed": {
    operationId: "onBatchCompleted",
    summary: "All transactions of a batch have ended",
    description: "How many of them completed and failed, and what that comes to. Sent once.",
    payload: "BatchCompleted",
  },
  "charge/events": {
    operationId: "onChargeEvent",
    summary: "The status of a charge changed",
    description: "It was paid, dropped, or refunded in part or whole.",
    payload: "ChargeEvent",
  },
  "statements/sealed": {
    operationId: "onStatementSealed",
    summary: "A day of the books was sealed",
    description:
      "Keep it: whoever has it can tell when that day's history, or any before it, is another later.",
    payload: "StatementSealed",
  },
  [testTopic]: {
    operationId: "onWebhookTest",
    summary: "A test event",
    description:
      "Sent once to a url that none of your webhooks had before, and when somebody asks for one in the console. It tells of nothing, and nobody subscribes to it.",
    payload: "WebhookTest",
  },
};

const answers: Readonly<Record<string, { readonly description: string }>> = {
  "2XX": { description: "Received. Anything else, or nothing, and it is sent again." },
  "410": { description: "Gone: the webhook is disabled and nothing more is sent to it." },
};
const testAnswers: typeof answers = {
  "2XX": { description: "The url is proved: notifications follow as they happen." },
  "4XX": {
    description: "It is not sent again. Four notifications a minute follow until one is received.",
  },
};

const proofs = (brand: string): Readonly<Record<string, string>> => ({
  "webhook-id": "The same in every attempt: what a repetition is recognised by.",
  "webhook-timestamp": "When this attempt was made, in seconds since 1970.",
  "webhook-signature": "Standard Webhooks 1.0: v1, and a signature, for each secret key in use.",
  [`x-${brand}-hmac-sha256`]: "Base64 of HMAC-SHA256 over the raw body, with the secret key.",
  [`x-${brand}-webhook-topic`]: "The topic, which is in the body too.",
});

/** Tells a test event from everything else without a look at the body. */
const testHeader = (brand: string) => ({
  in: "header",
  name: `x-${brand}-webhook-test`,
  required: true,
  description: "true, on test events and on nothing else.",
  schema: { type: "string", enum: ["true"] },
});

/** Sent by a service that traces, to receivers that follow the request that led to a notification. */
const traceparent = {
  in: "header",
  name: "traceparent",
  required: false,
  description:
    "W3C Trace Context, of requests that are recorded in a trace. Not signed, and often missing.",
  schema: { type: "string" },
};

/** The section `webhooks` of the OpenAPI document: what is sent to an address that was registered for a topic. */
export function describeNotifications(brand: string) {
  const parameters = Object.entries(proofs(brand)).map(([name, description]) => ({
    in: "header",
    name,
    required: true,
    description,
    schema: { type: "string" },
  }));
  return Object.fromEntries(
    ([...topics, testTopic] as const).map((topic) => {
      const { payload, ...said } = described[topic];
      const isTest = topic === testTopic;
      const schema = { $ref: `#/components/schemas/${payload}` };
      const post = {
        ...said,
        tags: ["Webhooks"],
        // A test event belongs to no request, so to no trace.
        parameters: [...parameters, isTest ? testHeader(brand) : traceparent],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: isTest ? testAnswers : answers,
        security: [],
      };
      return [topic, { post }];
    }),
  );
}
