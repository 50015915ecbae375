import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DatabaseWaiting } from "../database/errors.ts";
import type { DomainError } from "../kernel/domain-error.ts";
import { Overloaded } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { Admission } from "./admission.ts";
import { BodyBytes } from "./body-bytes.ts";
import { correlationIdOf } from "./correlation-id.ts";
import { languageOf, pathOf, retryAfterSeconds, toErrorBody } from "./error-response.ts";
import { BodiesTooMany, ShareUsedUp } from "./errors.ts";
import { bodyProblemOf } from "./refuse-ambiguous.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route is answered even when others are refused: whoever watches the node needs its answer. */
    readonly isAlwaysAnswered?: boolean;
  }
  interface FastifyRequest {
    /** Whose share of the node the request uses: the account that asks. Undefined where nobody has to say who he is. */
    holder?: string;
    hold: Hold | undefined;
  }
}

export interface RequestLimit {
  /** 0: as many as come. */
  readonly requestsMax: number;
  /** Bytes of all bodies in hand. */
  readonly bodyBytesMax: number;
  /** What one account may have of both, from 0 to 1. */
  readonly companyShare: number;
  /** Whether it is the database that holds requests up. By default it never is. */
  readonly isDatabaseWaiting?: () => boolean;
  readonly metrics: Metrics;
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const complainEveryMs = 1_000;
/** A body up to this size is nothing that anybody would have to wait for. */
const smallBodyBytes = 64 * 1024;

/** What a request has of the node until its answer is made. */
interface Hold {
  readonly holder: string | undefined;
  readonly bodyBytes: BodyBytes;
  bytes: number;
  enteredAt: number | undefined;
  /** Gives everything back. */
  readonly leave: () => void;
}

/**
 * Refuses what is beyond the limits at once, instead of answering all requests late. A request takes its place when
 * its body has arrived, so that slow senders hold nobody up; whether there is a place is asked first of all, before
 * anything else is done with it. Room for its body is taken before the body is read.
 */
export function limitRequests(app: FastifyInstance, limit: RequestLimit): void {
  const { metrics, headers, companyShare } = limit;
  const admission = new Admission(limit.requestsMax || Number.POSITIVE_INFINITY, companyShare);
  const bodyBytes = new BodyBytes({ bytesMax: limit.bodyBytesMax, share: companyShare });
  const crowded = new CrowdedTokens(admission);
  const { isDatabaseWaiting = () => false } = limit;
  // Requests pile up for one of two reasons, and whoever is refused is told the right one.
  const because = (problem: DomainError) => (isDatabaseWaiting() ? new DatabaseWaiting() : problem);
  refuseBeforeEverything(app, admission, crowded, headers, because, complainer(app, metrics));

  app.decorateRequest("hold", undefined);
  const leave = (request: FastifyRequest) => {
    const { hold } = request;
    if (hold === undefined) return;
    request.hold = undefined;
    if (hold.holder !== undefined && hold.bytes > smallBodyBytes)
      bodyBytes.giveBack(hold.holder, hold.bytes);
    if (hold.enteredAt === undefined) return;
    const now = performance.now();
    admission.leave(now, now - hold.enteredAt, hold.holder);
  };

  app.addHook("preParsing", (request, reply, _payload, done) => {
    const problem = bodyProblemOf(request);
    if (problem !== undefined) return done(problem);
    const { config, bodyLimit } = request.route;
    if (config.isAlwaysAnswered === true) return done();
    const { holder } = request;
    const bytes = announcedBytes(request, bodyLimit);
    if (holder !== undefined && admission.isFullFor(holder)) {
      crowded.add(request.headers.authorization ?? "", holder);
      return done(because(new ShareUsedUp()));
    }
    if (holder !== undefined && bytes > smallBodyBytes) {
      if (!bodyBytes.hasShareFor(holder, bytes)) return done(new ShareUsedUp());
      if (!bodyBytes.hasRoomFor(bytes)) return done(new BodiesTooMany());
      bodyBytes.take(holder, bytes);
    }
    const leaveIt = () => leave(request);
    request.hold = { holder, bodyBytes, bytes, enteredAt: undefined, leave: leaveIt };
    reply.raw.on("close", leaveIt);
    return done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    const { hold } = request;
    if (hold === undefined) return done();
    if (admission.isFull) return done(because(new Overloaded()));
    if (hold.holder !== undefined && admission.isFullFor(hold.holder))
      return done(because(new ShareUsedUp()));
    admission.enter(hold.holder);
    hold.enteredAt = performance.now();
    return done();
  });
  // A request gives its place up when its answer is made: clients that read slowly hold nobody up either.
  app.addHook("onSend", (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
}

/** For a request that will wait for something to happen: it uses nothing of the node until then. */
export function stepAside({ hold }: FastifyRequest): void {
  hold?.leave();
}

/** A body that came in pieces of unknown number counted as the largest there may be, until it was there. */
export function countArrivedBody(request: FastifyRequest, bytes: number): void {
  const { hold } = request;
  if (hold?.holder === undefined || hold.bytes <= smallBodyBytes || hold.bytes === bytes) return;
  hold.bodyBytes.giveBack(hold.holder, hold.bytes);
  hold.bytes = bytes;
  if (bytes > smallBodyBytes) hold.bodyBytes.take(hold.holder, bytes);
}

/** What a body that is too large announces is not read either: nothing has to be kept free for it. */
function announcedBytes({ headers }: FastifyRequest, bodyLimit: number): number {
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  if (encoding === undefined && length === undefined) return 0;
  if (encoding !== undefined) return bodyLimit;
  return Number(length) <= bodyLimit ? Number(length) : 0;
}

/** Tokens whose account had used its share up when they were last seen. */
class CrowdedTokens {
  readonly #admission: Admission;
  readonly #holders = new Map<string, string>();

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  add(authorization: string, holder: string): void {
    if (this.#holders.size >= crowdedMax) this.#holders.clear();
    this.#holders.set(authorization, holder);
  }

  isRefused(authorization: string | undefined): boolean {
    const holder = authorization === undefined ? undefined : this.#holders.get(authorization);
    return holder !== undefined && this.#admission.isFullFor(holder);
  }
}

const crowdedMax = 1_000;

/**
 * Refuses in front of Fastify, because a node with too many requests makes many refusals: through all of Fastify one
 * costs nearly as much as accepting a transfer, here a third of that. Requests for pages still go through Fastify:
 * their refusal is a page, and they are few.
 */
function refuseBeforeEverything(
  app: FastifyInstance,
  admission: Admission,
  crowded: CrowdedTokens,
  headers: Readonly<Record<string, string>>,
  because: (problem: DomainError) => DomainError,
  complain: () => void,
): void {
  const problems = { node: new Overloaded(), share: new ShareUsedUp() };
  const listeners = app.server.listeners("request") as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  app.server.removeAllListeners("request");
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "";
    const isCrowded = !admission.isFull && crowded.isRefused(request.headers.authorization);
    if (!(admission.isFull || isCrowded) || !url.startsWith("/v1/")) {
      for (const listener of listeners) listener(request, response);
      return;
    }
    complain();
    const problem = because(isCrowded ? problems.share : problems.node);
    const answer = toErrorBody(
      problem,
      correlationIdOf(request),
      pathOf(url),
      app.docsUrl,
      languageOf(request),
    );
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
    [{}],
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
