import { Type } from "typebox";
import { sharedAnswer } from "../kernel/shared-answer.ts";
import { publicResponses } from "./schemas.ts";
import type { App } from "./server.ts";

export interface OperationOptions {
  /** Undefined when ready; otherwise what is missing. */
  readonly findProblem: () => Promise<string | undefined>;
  /** In the Prometheus text format. */
  readonly readMetrics: () => Promise<string>;
}

/** Whoever collects metrics asks every few seconds. */
const metricsKeptMs = 1_000;
const tags = ["Operation"];
/** Also when requests are refused because the node is behind. */
const alwaysAnswered = { isAlwaysAnswered: true, pressureHandler: () => {} };
const Status = Type.Object(
  { status: Type.String() },
  { description: "ok.", examples: [{ status: "ok" }] },
);

export async function operationRoutes(app: App, options: OperationOptions): Promise<void> {
  // They need no token and are always answered, so however many ask, the database is asked once at a time.
  const findProblem = sharedAnswer(options.findProblem, 0);
  const readMetrics = sharedAnswer(options.readMetrics, metricsKeptMs);

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
          "For whoever decides where requests are sent: found out by a commit. What is missing is in problem.",
        tags,
        security: [],
        response: publicResponses({
          200: Status,
          503: Type.Object(
            { status: Type.String(), problem: Type.String() },
            { description: "Not ready." },
          ),
        }),
      },
    },
    async (_request, reply) => {
      const problem = await findProblem();
      if (problem === undefined) return reply.code(200).send({ status: "ok" });
      return reply.code(503).header("retry-after", 1).send({ status: "unavailable", problem });
    },
  );

  app.get(
    "/metrics",
    {
      config: alwaysAnswered,
      schema: {
        operationId: "getMetrics",
        summary: "Prometheus text",
        description: "Counters, gauges and histograms. Keep it from the public.",
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
    async (_request, reply) =>
      reply.type("text/plain; version=0.0.4; charset=utf-8").send(await readMetrics()),
  );
}
