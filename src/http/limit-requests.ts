import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Overloaded } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { Admission } from "./admission.ts";
import { correlationIdOf } from "./correlation-id.ts";
import { languageOf, pathOf, retryAfterSeconds, toErrorBody } from "./error-response.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route is answered even when others are refused: whoever watches the node needs its answer. */
    readonly isAlwaysAnswered?: boolean;
  }
}

export interface RequestLimit {
  readonly requestsMax: number;
  readonly metrics: Metrics;
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const complainEveryMs = 1_000;

/**
 * Refuses requests beyond the limit at once, instead of answering all of them late. A request takes its place when
 * its body has arrived, so that slow senders hold nobody up; whether there is a place is asked first of all, before
 * anything else is done with it.
 */
export function limitRequests(
  app: FastifyInstance,
  { requestsMax, metrics, headers }: RequestLimit,
): void {
  if (requestsMax === 0) return;
  const admission = new Admission(requestsMax);
  refuseBeforeEverything(app, admission, headers, complainer(app, metrics));
  const leaving = new WeakMap<FastifyRequest, () => void>();
  app.addHook("preValidation", (request, reply, done) => {
    if (isAlwaysAnswered(request)) return done();
    if (admission.isFull) return done(new Overloaded());
    admission.enter();
    const enteredAt = performance.now();
    const leave = () => {
      if (!leaving.delete(request)) return;
      const now = performance.now();
      admission.leave(now, now - enteredAt);
    };
    leaving.set(request, leave);
    reply.raw.once("close", leave);
    return done();
  });
  // A request gives its place up when its answer is made: clients that read slowly hold nobody up either.
  app.addHook("onSend", (request, _reply, payload, done) => {
    leaving.get(request)?.();
    done(null, payload);
  });
}

/**
 * Refuses in front of Fastify, because a node with too many requests makes many refusals: through all of Fastify one
 * costs nearly as much as accepting a transfer, here a third of that. Requests for pages still go through Fastify:
 * their refusal is a page, and they are few.
 */
function refuseBeforeEverything(
  app: FastifyInstance,
  admission: Admission,
  headers: Readonly<Record<string, string>>,
  complain: () => void,
): void {
  const problem = new Overloaded();
  const listeners = app.server.listeners("request") as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  app.server.removeAllListeners("request");
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "";
    if (!admission.isFull || !url.startsWith("/v1/")) {
      for (const listener of listeners) listener(request, response);
      return;
    }
    complain();
    const answer = toErrorBody(problem, correlationIdOf(request), pathOf(url), languageOf(request));
    const body = JSON.stringify(answer);
    response
      .writeHead(answer.statusCode, {
        ...headers,
        "content-type": "application/json; charset=utf-8",
        "content-length": String(Buffer.byteLength(body)),
        "x-correlation-id": answer.correlationId,
        "retry-after": String(retryAfterSeconds),
      })
      .end(body);
  });
}

/** Counts every refusal, and puts one line a second into the log, not one for each. */
function complainer(app: FastifyInstance, metrics: Metrics): () => void {
  const refused = metrics.counter(
    "cauri_http_refused_total",
    "Requests refused at once because there were too many.",
  );
  let saidAt = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return () => {
    refused.add();
    unsaid += 1;
    const now = performance.now();
    if (now - saidAt < complainEveryMs) return;
    app.log.warn({ refused: unsaid }, "too many requests: some were refused");
    saidAt = now;
    unsaid = 0;
  };
}

function isAlwaysAnswered({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isAlwaysAnswered === true;
}
