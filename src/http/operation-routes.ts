import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { sharedAnswer } from "../kernel/shared-answer.ts";
import { RouteNotFound } from "./errors.ts";
import { publicResponses } from "./schemas.ts";
import type { App } from "./server.ts";

export interface OperationOptions {
  /** Undefined when ready; otherwise what is missing, in a word and in a sentence. */
  readonly findTrouble: () => Promise<
    { readonly reason: string; readonly problem: string } | undefined
  >;
  /** In the Prometheus text format. */
  readonly readMetrics: () => Promise<string>;
  /** What whoever watches the nodes has to show; undefined: anyone may watch in staging, and no one in production. */
  readonly metricsToken: string | undefined;
  readonly environment: "staging" | "production";
}

/** Whoever collects metrics asks every few seconds. */
const metricsKeptMs = 1_000;
const tags = ["Operation"];
/** Also when requests are refused because the node is behind. */
const alwaysAnswered = { isAlwaysAnswered: true };
const Status = Type.Object(
  { status: Type.String() },
  { description: "ok.", examples: [{ status: "ok" }] },
);

export async function operationRoutes(app: App, options: OperationOptions): Promise<void> {
  // They need no token and are always answered, so however many ask, the database is asked once at a time.
  const findTrouble = sharedAnswer(options.findTrouble, 0);
  const readMetrics = sharedAnswer(options.readMetrics, metricsKeptMs);
  const mayWatch = watcherOf(options);

  app.get(
    "/healthz",
    {
      config: alwaysAnswered,
      schema: {
        operationId: "getHealth",
        summary: "The process is alive",
        description:
          "Answers also when other requests are refused. It does not look at the database.",
        tags,
        security: [],
        response: publicResponses({ 200: Status }),
      },
    },
    async () => ({ status: "ok" }),
  );

  app.get(
    "/readyz",
    {
      config: alwaysAnswered,
      schema: {
        operationId: "getReadiness",
        summary: "The database commits, and its schema is current",
        description:
          "For whoever decides where requests are sent: found out by a commit. What is missing is in the log, and for whoever may read /metrics in reason, a word such as disk_full, and in problem, a sentence.",
        tags,
        security: [],
        response: publicResponses({
          200: Status,
          503: Type.Object(
            {
              status: Type.String(),
              reason: Type.Optional(Type.String()),
              problem: Type.Optional(Type.String()),
            },
            { description: "Not ready." },
          ),
        }),
      },
    },
    async (request, reply) => {
      const trouble = await findTrouble();
      if (trouble === undefined) return reply.code(200).send({ status: "ok" });
      request.log.warn(trouble, "not ready");
      return reply
        .code(503)
        .header("retry-after", 1)
        .send({ status: "unavailable", ...(mayWatch(request) ? trouble : {}) });
    },
  );

  app.get(
    "/metrics",
    {
      config: alwaysAnswered,
      schema: {
        operationId: "getMetrics",
        summary: "Prometheus text",
        description:
          "Counters, gauges and histograms, for whoever sends METRICS_TOKEN as a bearer token. Without it there is nothing here; in staging it need not be set.",
        tags,
        security: [],
        response: publicResponses({
          200: {
            description: "Prometheus text format.",
            content: { "text/plain": { schema: { type: "string" } } },
          },
        }),
      },
    },
    async (request, reply) => {
      if (!mayWatch(request)) throw new RouteNotFound();
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(await readMetrics());
    },
  );
}

/** Whether a request comes from whoever watches the nodes. Numbers of a business are for nobody else. */
function watcherOf({
  metricsToken,
  environment,
}: OperationOptions): (request: FastifyRequest) => boolean {
  if (metricsToken === undefined) return () => environment === "staging";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${metricsToken}`);
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ""), expected);
}
