import { Type } from "typebox";
import { nullable, storableText, Timestamp } from "../http/schemas.ts";
import { type Topic, testTopic, topics } from "./event.ts";
import { deliveryStatuses, urlLengthMax, type WaitReason, waitReasons } from "./webhook.ts";

const webhookExample = {
  id: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  topic: "transactions/completed",
  url: "https://shop.example.com/hooks/cauri",
  disabledAt: null,
  disabledReason: null,
  testEvent: { sentAt: "2026-01-31T09:15:00.310Z", statusCode: 204, error: null },
};

const WebhookSchema = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    topic: Type.String({ enum: [...topics] }),
    url: Type.String(),
    disabledAt: nullable<string>("string", {
      description: "When nothing more was sent to it; null while it is in service.",
    }),
    disabledReason: nullable<string>("string"),
    testEvent: Type.Union(
      [
        Type.Object({
          sentAt: Timestamp,
          statusCode: nullable<number>("integer", { description: "Null when no answer came." }),
          error: nullable<string>("string", { description: "Why no answer came." }),
        }),
        Type.Null(),
      ],
      {
        description:
          "What the url answered to its last test event; null before the first answer. Whatever it is, notifications follow.",
      },
    ),
  },
  { $id: "Webhook", title: "Webhook", examples: [webhookExample] },
);

/** The body of a test event. */
const WebhookTestSchema = Type.Object(
  {
    data: Type.Object(
      {
        webhookId: Type.String({ description: "The webhook whose url is tried." }),
        createdAt: Timestamp,
      },
      { description: "Which webhook it is for, and when it was sent." },
    ),
    topic: Type.Literal(testTopic),
  },
  { $id: "WebhookTest", title: "Test event" },
);

const deliveryExample = {
  id: "42",
  webhookId: webhookExample.id,
  topic: "transactions/completed",
  status: "delivered",
  attempts: 1,
  nextAttemptAt: null,
  waitingFor: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.210Z",
  log: [
    {
      attempt: 1,
      startedAt: "2026-01-31T09:15:00.120Z",
      durationMs: 90,
      statusCode: 200,
      error: null,
      response: "ok",
    },
  ],
};

const DeliverySchema = Type.Object(
  {
    id: Type.String({ description: "Unique within its webhook." }),
    webhookId: Type.String(),
    topic: Type.String({ enum: [...topics] }),
    status: Type.String({
      enum: [...deliveryStatuses],
      description:
        "blocked waits for an earlier event of the same object; superseded was given up because its transaction has ended.",
    }),
    attempts: Type.Integer(),
    nextAttemptAt: nullable<string>("string", {
      description: "When it is tried next, as things stand; never in the past.",
    }),
    waitingFor: nullable<WaitReason>("string", {
      enum: [...waitReasons, null],
      description:
        "Why it is not sent now. retry: the pause after its last attempt. circuit_breaker: its url failed ten times in a row and is probed. new_address: its url has never answered 2xx and gets four requests a minute. earlier_event: an earlier event of the same object comes first.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    log: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        startedAt: Timestamp,
        durationMs: Type.Integer(),
        statusCode: nullable<number>("integer"),
        error: nullable<string>("string"),
        response: nullable<string>("string", { description: "The first KB of the answer." }),
      }),
    ),
  },
  { $id: "Delivery", title: "Delivery", examples: [deliveryExample] },
);

/** Those that others refer to by name. */
export const webhookSchemas = [WebhookSchema, WebhookTestSchema, DeliverySchema];

export const NewWebhookSchema = Type.Object(
  {
    topic: Type.Unsafe<Topic>({
      type: "string",
      enum: [...topics],
      description:
        "What to be told of. The spellings transaction/… and charges/… are read as these.",
    }),
    url: Type.String({
      minLength: 1,
      maxLength: urlLengthMax,
      pattern: storableText,
      description: "https in production.",
    }),
  },
  { examples: [{ topic: webhookExample.topic, url: webhookExample.url }] },
);
