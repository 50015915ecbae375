import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server as NetServer } from "node:net";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import underPressure from "@fastify/under-pressure";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
  type RawServerDefault,
} from "fastify";
import { Overloaded } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { answerExpectation, malformedAnswerer } from "./answer-malformed.ts";
import { correlationIdOf } from "./correlation-id.ts";
import { drainOnClose, stopAccepting } from "./drain.ts";
import { sendError } from "./error-response.ts";
import { MethodNotAllowed, RouteNotFound, ShuttingDown } from "./errors.ts";
import { countArrivedBody, limitRequests } from "./limit-requests.ts";
import { type Address, listenAlso } from "./listen-also.ts";
import { parseJson } from "./parse-json.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { ambiguityOf, refuseEncoded } from "./refuse-ambiguous.ts";
import { RequestLogger } from "./request-logger.ts";
import { traceRequests } from "./trace-requests.ts";
import { compileValidator } from "./validation.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who a request comes from, for the log. */
interface Caller {
  readonly companyId: string;
  readonly keyId: string;
}

declare module "fastify" {
  interface FastifyInstance {
    /** A further port, for as long as the server listens. */
    listenAlso(address: Address): Promise<void>;
    /** Serves whoever is connected until they have left, and nobody else. To be closed afterwards. */
    retire(): Promise<void>;
  }
  interface FastifyRequest {
    /** The client's, as far as TRUST_PROXY lets it be known. */
    address: string;
    /** Undefined until a token was found good, and on pages. */
    caller: Caller | undefined;
  }
}

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly environment: "staging" | "production";
  /** Proxies in front of this node; 0: the caller is who connects. */
  readonly trustProxy: number;
  readonly eventLoopDelayMaxMs: number;
  readonly requestsMax: number;
  readonly bodyBytesMax: number;
  readonly companyShare: number;
  /** What is sent to be written does not come back: then requests pile up because of that. */
  readonly isDatabaseWaiting?: () => boolean;
  /** Where the addresses of pages begin, such as "/page/". */
  readonly pagePrefixes: readonly string[];
  /** Undefined: no request is recorded. */
  readonly tracer?: Tracer | undefined;
}

const oneBodyBytesMax = 1024 * 1024;
/** From the connection, or the end of the request before, until the headers are there. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** How often the two above are looked at; Node.js would let half a minute pass. */
const connectionsCheckEveryMs = 1_000;
/** A connection on which nothing was sent or taken for so long is closed, in the middle of an answer too. */
const stalledTimeoutMs = 60_000;
const keepAliveTimeoutMs = 72_000;
/** Longer than any idle connection lives. */
export const retiringMaxMs = keepAliveTimeoutMs + 3_000;

/** An HTTP server that answers JSON whatever happens, names every request and counts what it did. */
export async function buildServer(options: ServerOptions): Promise<App> {
  const headers = protectiveHeaders(options.environment);
  const app: App = fastify({
    loggerInstance: options.logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "correlationId",
    }),
    childLoggerFactory: (logger, names, loggerOptions) =>
      new RequestLogger(logger, names, loggerOptions),
    genReqId: correlationIdOf,
    // Counted from the right: what a caller wrote into X-Forwarded-For itself stands further left.
    trustProxy: options.trustProxy > 0 && ((_address, place) => place < options.trustProxy),
    bodyLimit: oneBodyBytesMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: stalledTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // As long as an address can be, so that an id of any length is looked for and gets the 404 of its route.
    routerOptions: { maxParamLength: 32_768, ignoreTrailingSlash: true },
    rewriteUrl: (request) => toRoutableUrl(request, ["/v1/", ...options.pagePrefixes]),
    http: { requireHostHeader: false, connectionsCheckingInterval: connectionsCheckEveryMs },
    clientErrorHandler: malformedAnswerer(headers),
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(headers)),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.headersTimeout = headersTimeoutMs;
  app.server.on("checkExpectation", answerExpectation(headers));

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new RouteNotFound(), request, reply));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done) => {
      countArrivedBody(request, body.length);
      const value = parseJson(body, request.routeOptions.config.bodyShape);
      if (value instanceof Promise) return value;
      done(null, value);
      return undefined;
    },
  );

  let isClosing = false;
  const otherPorts: NetServer[] = [];
  app.decorate("listenAlso", async (address: Address) => {
    otherPorts.push(await listenAlso(app.server, address));
  });
  const drain = drainOnClose(app.server, otherPorts);
  let areOthersClosed: Promise<void> | undefined;
  app.addHook("preClose", async () => {
    isClosing = true;
    areOthersClosed = drain();
  });
  app.addHook("onClose", () => areOthersClosed);
  let isRetiring = false;
  app.decorate("retire", () => {
    isRetiring = true;
    return stopAccepting([app.server, ...otherPorts], retiringMaxMs);
  });
  app.decorateRequest("address", "");
  app.decorateRequest("caller", undefined);
  app.decorateRequest("span", undefined);
  // Hooks that every request goes through do not wait for anything, and are no promises: those would cost more than they do.
  app.addHook("onRequest", (request, reply, done) => {
    // Read now: a client that hangs up takes its address along.
    request.address = addressOf(request);
    reply.header("x-correlation-id", request.id);
    reply.headers(headers);
    if (isRetiring) reply.header("connection", "close");
    const problem = ambiguityOf(request);
    if (problem !== undefined || !isClosing) return done(problem);
    reply.header("connection", "close");
    return done(new ShuttingDown());
  });
  app.addHook("preParsing", refuseEncoded);
  if (options.tracer !== undefined) traceRequests(app, options.tracer);
  observe(app, options.metrics);
  limitRequests(app, { ...options, headers });

  // When the event loop is this far behind, every answer would be late: requests are refused at once instead.
  await app.register(underPressure, {
    maxEventLoopDelay: options.eventLoopDelayMaxMs,
    pressureHandler: () => {
      throw new Overloaded();
    },
  });
  return app;
}

const addressMax = 64;

/** Cut, because a proxy may have passed on anything. A client that is gone already has none. */
function addressOf(request: { readonly ip: string | undefined }): string {
  return request.ip?.slice(0, addressMax) ?? "";
}

/** One log line and two metrics per answer. The route's pattern is logged, never the query; the key's id, never the token. */
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
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const { statusCode, elapsedTime } = reply;
    requests.add({ method: request.method, route, status: String(statusCode) });
    seconds.observe(elapsedTime / 1_000, { route });
    app.log.info(
      {
        correlationId: request.id,
        method: request.method,
        route,
        statusCode,
        ms: Math.round(elapsedTime * 100) / 100,
        address: request.address,
        ...request.caller,
        ...(request.span === undefined ? {} : { traceId: request.span.traceId }),
      },
      "answered",
    );
    done();
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
 * The router refuses an address that cannot be decoded before any hook runs. Under /v1 the token has to be looked
 * at first, and the reader of a page is to get a page: there such an address becomes one that leads nowhere.
 */
function toRoutableUrl(request: { url?: string | undefined }, prefixes: readonly string[]): string {
  const url = request.url ?? "/";
  if (!url.includes("%")) return url;
  const prefix = prefixes.find((known) => url.startsWith(known));
  if (prefix === undefined) return url;
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return url;
  } catch {
    return `${prefix}undecodable`;
  }
}
