import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { type EgressPolicy, findUrlProblem } from "../egress/policy.ts";
import { InvalidRequest } from "../http/errors.ts";
import { toListEnvelope } from "../http/list-envelope.ts";
import { IdempotencyHeaders, ListQuery, listOf, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { readIdempotencyKey, sendAnswer } from "../idempotency/idempotency-key.ts";
import { parseUuid } from "../kernel/ids.ts";
import { composeSentence } from "../kernel/language.ts";
import { parsePageRequest } from "../kernel/page.ts";
import { type LoggedDelivery, listDeliveries, parseDeliveryId, redeliver } from "./deliveries.ts";
import { parseDeliveryCursor, toDeliveryCursor } from "./delivery-cursor.ts";
import { spellTopic } from "./event.ts";
import { deleteWebhook, getWebhook, listWebhooks, registerWebhook } from "./manage-webhooks.ts";
import { NewWebhookSchema } from "./schemas.ts";
import type { Webhook } from "./webhook.ts";

const tags = ["Webhooks"];

export interface WebhookRoutesOptions {
  readonly database: Database;
  readonly policy: EgressPolicy;
  readonly webhooksMax: number;
  /** Tells the dispatcher that something may be due. */
  readonly hint: (companyId: string) => void;
  /** Tells every node that a webhook is gone. */
  readonly tellDeleted: (webhookId: string) => Promise<void>;
}

export async function webhookRoutes(
  app: App,
  { database, policy, webhooksMax, hint, tellDeleted }: WebhookRoutesOptions,
): Promise<void> {
  const ById = Type.Object({ id: Type.String({ description: "The webhook's id." }) });

  app.post(
    "/v1/webhooks",
    {
      preValidation: async ({ body }) => respellTopic(body),
      schema: {
        operationId: "createWebhook",
        summary: "Be told of a topic",
        description:
          "The address hears of what happens from here on. A new one is sent a signed test event first, with the topic webhooks/test and the header x-<brand>-webhook-test. Until it has answered one request with 2xx it gets a few a minute, and the rest waits.",
        tags,
        security,
        headers: IdempotencyHeaders,
        body: NewWebhookSchema,
        response: responses(
          { 201: { description: "Registered.", $ref: "Webhook#" } },
          [400, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { topic, url } = request.body;
      const problem = findUrlProblem(url, policy);
      if (problem !== undefined)
        throw InvalidRequest.field(
          "url",
          composeSentence((language) => `url ${problem[language]}`),
        );
      const { id } = request.company;
      const key = readIdempotencyKey(request);
      const answer = await answerOnce(database, id, key, {
        statusCode: 201,
        make: async (tx) => {
          const made = await registerWebhook(tx, id, { topic, url }, webhooksMax, request.by);
          return { id: made.id, shown: toResource(made), made };
        },
      });
      hint(id);
      return sendAnswer(reply, answer);
    },
  );

  app.get(
    "/v1/webhooks/:id",
    {
      schema: {
        operationId: "getWebhook",
        summary: "One webhook",
        description:
          "Its topic, its address, what that answered to its test event, and whether it was disabled.",
        tags,
        security,
        params: ById,
        response: responses({ 200: { description: "The webhook.", $ref: "Webhook#" } }, [404]),
      },
    },
    async (request) =>
      toResource(await getWebhook(database, request.company.id, parseUuid(request.params.id))),
  );

  app.get(
    "/v1/webhooks",
    {
      schema: {
        operationId: "listWebhooks",
        summary: "Webhooks, newest first",
        description:
          "Disabled ones included, deleted ones not. Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags,
        security,
        querystring: Type.Object(ListQuery),
        response: responses({ 200: listOf(Type.Ref("Webhook#")) }, [400]),
      },
    },
    async (request) => {
      const page = parsePageRequest(
        { name: "webhooks", companyId: request.company.id },
        request.query,
      );
      return toListEnvelope(await listWebhooks(database, request.company.id, page), toResource);
    },
  );

  app.delete(
    "/v1/webhooks/:id",
    {
      schema: {
        operationId: "deleteWebhook",
        summary: "Stop being told",
        description: "What it still had to deliver is cancelled.",
        tags,
        security,
        params: ById,
        response: responses({ 204: { description: "Deleted.", type: "null" } }, [404, 413, 415]),
      },
    },
    async (request, reply) => {
      const { company, by } = request;
      await deleteWebhook(database, company.id, parseUuid(request.params.id), by);
      await tellDeleted(request.params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    "/v1/webhooks/:id/deliveries",
    {
      schema: {
        operationId: "listDeliveries",
        summary: "What was sent to a webhook, newest first, with every attempt of the last 30 days",
        description:
          "Each delivery with its status, what it waits for and until when, and what the receiver answered.",
        tags,
        security,
        params: ById,
        querystring: Type.Object(ListQuery),
        response: responses({ 200: listOf(Type.Ref("Delivery#")) }, [400, 404]),
      },
    },
    async (request) => {
      const { id } = request.company;
      const page = parseDeliveryCursor(id, request.query);
      const { rows, hasNewer, hasOlder } = await listDeliveries(
        database,
        id,
        parseUuid(request.params.id),
        page,
      );
      const [first, last] = [rows.at(0)?.eventNumber, rows.at(-1)?.eventNumber];
      return toListEnvelope(
        {
          rows,
          limit: page.limit,
          prev: hasNewer && first !== undefined ? toDeliveryCursor(id, "newer", first) : null,
          next: hasOlder && last !== undefined ? toDeliveryCursor(id, "older", last) : null,
        },
        toDeliveryResource,
      );
    },
  );

  app.post(
    "/v1/webhooks/:id/deliveries/:deliveryId/redeliver",
    {
      schema: {
        operationId: "redeliver",
        summary: "Send a delivery again",
        description:
          "From the start of its schedule; one that waits, for its next try or for its url to answer, is tried now. It keeps its webhook-id, so a receiver that has it already can tell.",
        tags,
        security,
        params: Type.Object({
          id: Type.String({ description: "The webhook's id." }),
          deliveryId: Type.String({ description: "The delivery's id." }),
        }),
        response: responses(
          { 200: { description: "The delivery.", $ref: "Delivery#" } },
          [404, 413, 415, 422],
        ),
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const delivery = await redeliver(
        database,
        request.company.id,
        parseUuid(id),
        parseDeliveryId(deliveryId),
        request.by,
      );
      hint(request.company.id);
      return toDeliveryResource(delivery);
    },
  );
}

/** Before the body is looked at, so that the schema knows one spelling and the same key means the same webhook. */
function respellTopic(body: unknown): void {
  const sent = body as { topic?: unknown } | null | undefined;
  if (typeof sent?.topic === "string") sent.topic = spellTopic(sent.topic);
}

function toResource(webhook: Webhook) {
  return {
    id: webhook.id,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
    topic: webhook.topic,
    url: webhook.url,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    disabledReason: webhook.disabledReason,
    testEvent: webhook.test && { ...webhook.test, sentAt: webhook.test.sentAt.toISOString() },
  };
}

function toDeliveryResource(delivery: LoggedDelivery) {
  return {
    id: String(delivery.eventNumber),
    webhookId: delivery.webhookId,
    topic: delivery.topic,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    waitingFor: delivery.waitingFor,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
    log: delivery.log.map(({ attempt, startedAt, durationMs, statusCode, error, response }) => ({
      attempt,
      startedAt: startedAt.toISOString(),
      durationMs,
      statusCode,
      error,
      response,
    })),
  };
}
