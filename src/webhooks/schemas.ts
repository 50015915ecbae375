import { Type } from "typebox";
import { nullable, storableText, Timestamp } from "../http/schemas.ts";
import { type Topic, topics } from "./event.ts";
import { deliveryStatuses, urlLengthMax } from "./webhook.ts";

const webhookExample = {
  id: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  topic: "transactions/completed",
  url: "https://shop.example.com/hooks/cauri",
  disabledAt: null,
  disabledReason: null,
};

export const WebhookSchema = Type.Object(
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
  },
  { $id: "Webhook", title: "Webhook", examples: [webhookExample] },
);

const deliveryExample = {
  id: "42",
  webhookId: webhookExample.id,
  topic: "transactions/completed",
  status: "delivered",
  attempts: 1,
  nextAttemptAt: null,
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

export const DeliverySchema = Type.Object(
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
    nextAttemptAt: nullable<string>("string"),
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
