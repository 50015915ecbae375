import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server as NetServer } from "node:net";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from "fastify";
import { activities } from "../kernel/activity-board.ts";
import { Overloaded } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { answerExpectation, malformedAnswerer } from "./answer-malformed.ts";
import { correlationIdOf } from "./correlation-id.ts";
import { drainOnClose, stopAccepting } from "./drain.ts";
import { docsUrlOf, pathOf, sendError } from "./error-response.ts";
import { RouteNotFound, ShuttingDown } from "./errors.ts";
import { countArrivedBody, limitRequests } from "./limit-requests.ts";
import { type Address, listenAlso } from "./listen-also.ts";
import { watchLoopDelay } from "./loop-delay.ts";
import { beginActivity, nameActivities } from "./note-activities.ts";
import { observeAnswers } from "./observe-answers.ts";
import { parseJson } from "./parse-json.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { ambiguityOf } from "./refuse-ambiguous.ts";
import { RequestLogger } from "./request-logger.ts";
import { toRoutableUrl } from "./routable-url.ts";
import { AddressBook } from "./suggest-address.ts";
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
    /** Where the reference of the API is, in which every error has its place. */
    readonly docsUrl: string;
    /** The address that was probably meant by one that there is not. */
    findAddress(path: string): string | undefined;
    /** Says which addresses a 404 may name, to whoever asks for one that is nearly right. */
    suggestAddresses(patterns: Iterable<string>): void;
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
    /** What `routeOptions` answers, read once: each reading makes a new object. */
    route: FastifyRequest["routeOptions"];
  }
}

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly environment: "staging" | "production";
  readonly publicUrl: string;
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
  const docsUrl = docsUrlOf(options.publicUrl);
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
    routerOptions: { maxParamLength: 32_768 },
    rewriteUrl: ({ url = "/" }) => toRoutableUrl(url, options.pagePrefixes),
    http: { requireHostHeader: false, connectionsCheckingInterval: connectionsCheckEveryMs },
    clientErrorHandler: malformedAnswerer(headers, docsUrl),
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(headers)),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.headersTimeout = headersTimeoutMs;
  app.server.on("checkExpectation", answerExpectation(headers, docsUrl));

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(sendError);
  let addresses = new AddressBook([]);
  app.decorate("docsUrl", docsUrl);
  app.decorate("findAddress", (path: string) => addresses.suggest(path));
  app.decorate("suggestAddresses", (patterns: Iterable<string>) => {
    addresses = new AddressBook(patterns);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(new RouteNotFound(app.findAddress(pathOf(request.originalUrl))), request, reply),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done) => {
      activities.goOnWith(request.activity);
      countArrivedBody(request, body.length);
      const value = parseJson(body, request.route.config.bodyShape);
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
  app.decorateRequest("route");
  nameActivities(app);
  const isBehind = watchLoopDelay(app, options.eventLoopDelayMaxMs);
  // Hooks that every request goes through do not wait for anything, and are no promises: those would cost more than they do.
  app.addHook("onRequest", (request, reply, done) => {
    request.route = request.routeOptions;
    beginActivity(request);
    // Read now: a client that hangs up takes its address along.
    request.address = addressOf(request);
    reply.header("x-correlation-id", request.id);
    reply.headers(headers);
    if (isRetiring) reply.header("connection", "close");
    const problem = ambiguityOf(request);
    if (problem !== undefined) return done(problem);
    // Every answer would be late: requests are refused at once instead.
    if (isBehind() && request.route.config.isAlwaysAnswered !== true) return done(new Overloaded());
    if (!isClosing) return done();
    reply.header("connection", "close");
    return done(new ShuttingDown());
  });
  if (options.tracer !== undefined) traceRequests(app, options.tracer);
  observeAnswers(app, options.metrics);
  limitRequests(app, { ...options, headers });
  return app;
}

const addressMax = 64;

/** Cut, because a proxy may have passed on anything. A client that is gone already has none. */
function addressOf(request: { readonly ip: string | undefined }): string {
  return request.ip?.slice(0, addressMax) ?? "";
}
