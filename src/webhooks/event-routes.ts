import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { InvalidRequest } from "../http/errors.ts";
import { stepAside } from "../http/limit-requests.ts";
import { Places } from "../http/places.ts";
import { responses, security, Timestamp } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { TooManyWaiting } from "./errors.ts";
import { spellTopic, type Topic, topics } from "./event.ts";
import { EventWaits } from "./event-waits.ts";
import type { PayloadsOf } from "./hold-deliveries.ts";
import { lastSequenceOf, type Pull, type PulledEvent, pullEvents } from "./pull-events.ts";

const limitDefault = 100;
const waitMaxSeconds = 30;
const latest = "latest";

const placesMax = {
  /** A shop has one that listens, perhaps one on each of its machines. */
  perHolderMax: 10,
  /** Each is a connection and a timer, and nothing else. */
  perNodeMax: 1_000,
};

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: `^(?:[0-9]{1,15}|${latest})$`,
      description: `lastSequence of the answer before. Absent: from the first event that is kept. ${latest}: only what happens from now on.`,
      examples: ["1042"],
    }),
  ),
  topics: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: `Of ${topics.join(", ")}, with commas between them. Absent: all.`,
      examples: ["transactions/completed,transactions/failed"],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitDefault,
      description: `Events in one answer; ${limitDefault} when absent.`,
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: waitMaxSeconds,
      description:
        "Seconds to wait for an event when there is none. Absent or 0: the answer comes at once.",
    }),
  ),
});

export const EventsSchema = Type.Object(
  {
    count: Type.Integer({ description: "Events in data." }),
    lastSequence: Type.Integer({
      description:
        "after of the next request. It moves past events of other topics too; keep it even when data is empty.",
    }),
    hasMore: Type.Boolean({ description: "Whether more has happened already: ask again at once." }),
    data: Type.Array(
      Type.Object({
        sequence: Type.Integer({
          description:
            "1, 2, 3 … for each account, without gaps, in the order in which it happened.",
        }),
        topic: Type.String({ enum: [...topics] }),
        createdAt: Timestamp,
        payload: Type.Object(
          { topic: Type.String(), data: Type.Object({}, { additionalProperties: true }) },
          { description: "The body that a webhook of this topic is sent." },
        ),
      }),
    ),
  },
  {
    $id: "Events",
    title: "Events",
    examples: [
      {
        count: 1,
        lastSequence: 1042,
        hasMore: false,
        data: [
          {
            sequence: 1042,
            topic: "transactions/completed",
            createdAt: "2026-01-31T09:15:00.120Z",
            payload: {
              data: { id: "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6", status: "completed" },
              topic: "transactions/completed",
            },
          },
        ],
      },
    ],
  },
);

export interface EventRoutesOptions {
  readonly database: Database;
  readonly payloadsOf: PayloadsOf;
  readonly metrics: Metrics;
}

/** Events for those whom no webhook reaches: behind a firewall, or on a developer's own machine. */
export async function eventRoutes(app: App, options: EventRoutesOptions): Promise<void> {
  const { database, metrics } = options;
  const waits = new EventWaits(
    database,
    metrics.gauge(
      "cauri_events_waiting",
      "Requests for events that wait for one to happen.",
      "sum",
    ),
  );
  const places = new Places({ ...placesMax, refuse: (max) => new TooManyWaiting(max) });
  app.addHook("preClose", async () => waits.close());

  /** False when it is not worth looking again: the caller has hung up, or the node stops. */
  const waitFor = async (
    request: FastifyRequest,
    reply: FastifyReply,
    after: number,
    ms: number,
  ): Promise<boolean> => {
    const giveBack = places.take(request.company.id);
    // Whoever waits costs the node nothing, and keeps nobody out.
    stepAside(request);
    const gone = new AbortController();
    const hangUp = () => gone.abort();
    reply.raw.once("close", hangUp);
    try {
      await waits.until(request.company.id, after, ms, gone.signal);
    } finally {
      reply.raw.off("close", hangUp);
      giveBack();
    }
    return !gone.signal.aborted && !waits.isClosed;
  };

  app.get(
    "/v1/events",
    {
      schema: {
        operationId: "listEvents",
        summary: "What happened, in order",
        description:
          "The same events that webhooks are told of, for those who would rather ask. Ask with after=<lastSequence of the answer before> and wait=30, again and again: nothing is missed and nothing comes twice. Events are kept for 30 days.",
        tags: ["Webhooks"],
        security,
        querystring: EventsQuery,
        response: responses(
          { 200: { description: "Events, oldest first.", $ref: "Events#" } },
          [400, 409, 410],
        ),
      },
    },
    async (request, reply) => {
      const { company, query } = request;
      const asked = {
        after:
          query.after === latest
            ? await lastSequenceOf(database, company.id)
            : query.after === undefined
              ? undefined
              : Number(query.after),
        topics: readTopics(query.topics),
        limit: query.limit ?? limitDefault,
      };
      let pull = await pullEvents(options, company.id, asked);
      const endsAt = performance.now() + (query.wait ?? 0) * 1_000;
      while (pull.events.length === 0 && !pull.hasMore) {
        const ms = endsAt - performance.now();
        if (ms <= 0 || !(await waitFor(request, reply, pull.lastSequence, ms))) break;
        await request.admitAgain();
        pull = await pullEvents(options, company.id, { ...asked, after: pull.lastSequence });
      }
      return reply.type("application/json; charset=utf-8").send(toText(pull));
    },
  );
}

/** Written by hand, because a payload is JSON already and must stay as it is, to the byte. */
function toText({ events, lastSequence, hasMore }: Pull): string {
  return `{"count":${events.length},"lastSequence":${lastSequence},"hasMore":${hasMore},"data":[${events
    .map(eventText)
    .join(",")}]}`;
}

function eventText({ sequence, topic, createdAt, payload }: PulledEvent): string {
  return `{"sequence":${sequence},"topic":"${topic}","createdAt":"${createdAt.toISOString()}","payload":${payload}}`;
}

function readTopics(text: string | undefined): readonly Topic[] {
  if (text === undefined) return topics;
  return text.split(",").map((name) => {
    const topic = topics.find((known) => known === spellTopic(name.trim()));
    if (topic === undefined)
      throw InvalidRequest.field("topics", {
        en: `topics names what is no topic; it must be some of ${topics.join(", ")}, with commas between them.`,
        fr: `topics nomme ce qui n’est pas un sujet. Valeurs attendues\u00a0: ${topics.join(", ")}, séparées par des virgules.`,
      });
    return topic;
  });
}
