import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import underPressure from "@fastify/under-pressure";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type HTTPMethods,
  LogController,
  type RawServerDefault,
} from "fastify";
import type { Metrics } from "../kernel/metrics.ts";
import { drainOnClose } from "./drain.ts";
import { sendError, toErrorBody } from "./error-response.ts";
import {
  ExpectationFailed,
  MalformedRequest,
  MethodNotAllowed,
  Overloaded,
  RouteNotFound,
  ShuttingDown,
} from "./errors.ts";
import { parseJson } from "./parse-json.ts";
import { compileValidator } from "./validation.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly trustProxy: boolean;
  readonly eventLoopDelayMaxMs: number;
}

const bodyBytesMax = 1024 * 1024;
const saneCorrelationId = /^[A-Za-z0-9._:-]{1,128}$/;

/** An HTTP server that answers JSON whatever happens, names every request and counts what it did. */
export async function buildServer(options: ServerOptions): Promise<App> {
  const app: App = fastify({
    loggerInstance: options.logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "correlationId",
    }),
    genReqId: correlationIdOf,
    trustProxy: options.trustProxy,
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // As long as an address can be: an id too long to exist is still looked for, and not found.
    routerOptions: { maxParamLength: 32_768 },
    rewriteUrl: toRoutableUrl,
    http: { requireHostHeader: false },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.headersTimeout = 10_000;
  app.server.on("checkExpectation", answerExpectation);

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new RouteNotFound(), request, reply));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) => parseJson(body),
  );

  let isClosing = false;
  const drain = drainOnClose(app.server);
  app.addHook("preClose", async () => {
    isClosing = true;
    drain();
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-correlation-id", request.id);
    reply.header("cache-control", "no-store");
    reply.header("x-content-type-options", "nosniff");
    if (request.raw.httpVersion === "1.1" && request.headers.host === undefined) {
      throw new MalformedRequest("The request has no Host header.");
    }
    if (isClosing) {
      reply.header("connection", "close");
      throw new ShuttingDown();
    }
  });
  observe(app, options.metrics);

  // A loop that is this far behind answers late whatever it does: better to refuse at once.
  await app.register(underPressure, {
    maxEventLoopDelay: options.eventLoopDelayMaxMs,
    pressureHandler: () => {
      throw new Overloaded();
    },
  });
  return app;
}

function correlationIdOf(request: { headers: IncomingMessage["headers"] }): string {
  const sent = request.headers["x-correlation-id"] ?? request.headers["x-request-id"];
  return typeof sent === "string" && saneCorrelationId.test(sent) ? sent : randomUUID();
}

/** One log line and two metrics per answer. The route's pattern is logged, never the query. */
function observe(app: App, metrics: Metrics): void {
  const requests = metrics.counter(
    "cauri_http_requests_total",
    "Requests answered, by route and status.",
  );
  const seconds = metrics.histogram(
    "cauri_http_request_seconds",
    "Time from request to answer, by route.",
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const { statusCode, elapsedTime } = reply;
    requests.add({ method: request.method, route, status: String(statusCode) });
    seconds.observe(elapsedTime / 1_000, { route });
    request.log.info(
      { method: request.method, route, statusCode, ms: Math.round(elapsedTime * 100) / 100 },
      "answered",
    );
  });
}

/** Remembers the routes of a scope and their methods, as they are added. */
export function collectRoutes(app: App): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    routes.set(url, methods);
  });
  return routes;
}

/**
 * Adds a 405 for the methods an address does not have. Call it after the routes of a scope are known,
 * inside that scope, so that its authentication comes first.
 */
export function refuseOtherMethods(
  app: App,
  routes: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const methods: HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  for (const [url, methodsKnown] of Array.from(routes)) {
    const known = new Set(methodsKnown);
    const others = methods.filter((method) => !known.has(method));
    if (others.length === 0) continue;
    app.route({
      method: others,
      url,
      schema: { hide: true },
      handler: async (_request, reply) => {
        reply.header("allow", [...known].join(", "));
        throw new MethodNotAllowed([...known]);
      },
    });
  }
}

/**
 * Under /v1 the token comes first, also before an address that cannot be decoded: such an address is sent
 * on as one that leads nowhere. Elsewhere the router refuses it.
 */
function toRoutableUrl(request: { url?: string | undefined }): string {
  const url = request.url ?? "/";
  if (!url.startsWith("/v1/") || !url.includes("%")) return url;
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return url;
  } catch {
    return "/v1/undecodable";
  }
}

/** What the HTTP parser itself refuses never becomes a request; it still gets a JSON answer. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const problem = new MalformedRequest(isTooLarge ? "The headers are too large." : undefined);
  const answer = toErrorBody(problem, randomUUID(), "/");
  const body = JSON.stringify(answer);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Correlation-Id: ${answer.correlationId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Node.js answers an unknown Expect header by itself, without a body. */
function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const answer = toErrorBody(new ExpectationFailed(), correlationIdOf(request), "/");
  const body = JSON.stringify(answer);
  response
    .writeHead(answer.statusCode, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "x-correlation-id": answer.correlationId,
      connection: "close",
    })
    .end(body);
}
