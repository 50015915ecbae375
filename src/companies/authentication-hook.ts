import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Environment } from "../database/environment.ts";
import { DatabaseUnavailable } from "../database/errors.ts";
import { RateLimited } from "../http/errors.ts";
import { type CountOne, RateWindows, windowsCountedBy } from "../http/rate-windows.ts";
import type { App } from "../http/server.ts";
import { activities } from "../kernel/activity-board.ts";
import type { DomainError } from "../kernel/domain-error.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import type { KeyHolder } from "../trail/actor.ts";
import type { Authenticator, GoodToken, TokenHolder } from "./authenticate.ts";
import { type Company, companyIdPrefix } from "./company.ts";
import { ConnectionTokens, type PresentedToken } from "./connection-tokens.ts";
import { describeWrongToken } from "./describe-wrong-token.ts";
import { CompanyMismatch, TooManyFailedAuthentications, Unauthenticated } from "./errors.ts";
import { WrongTokens } from "./wrong-tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks. Set before anything else of a request under /v1 is looked at. */
    company: Company;
    /** By which key. */
    keyId: string;
    /** The token as it was remembered when the request came. */
    remembered: GoodToken | undefined;
    /** The same for the trail. */
    readonly by: KeyHolder;
    /** Judges the token once more, for a request that has waited: a key may be revoked, a company frozen meanwhile. Throws. */
    admitAgain(): Promise<void>;
  }
}

export interface AuthenticationOptions {
  readonly authenticator: Authenticator;
  /** Read for every request, because it can change. 0: as many as come. */
  readonly limits: { readonly rateLimitPerSecond: number };
  /** Where requests are counted for that; by default, in this process. */
  readonly countOne?: CountOne | undefined;
  readonly failuresPerMinute: number;
  readonly environment: Environment;
}

/**
 * Every route of this scope needs a good token, and is refused before its body is even read. A good token
 * always works; only answers to wrong ones are limited per address, so nobody is shut out by a neighbour.
 */
export async function requireAuthentication(
  app: App,
  options: AuthenticationOptions,
): Promise<void> {
  const { authenticator, failuresPerMinute, limits } = options;
  await app.register(rateLimit, {
    global: false,
    max: () => limits.rateLimitPerSecond,
    timeWindow: 1_000,
    enableDraftSpec: true,
    store: options.countOne === undefined ? RateWindows : windowsCountedBy(options.countOne),
    keyGenerator: (request) => request.company.id,
    errorResponseBuilder: (_request, { max }) => new RateLimited(max),
  });

  const wrongTokens = new WrongTokens(failuresPerMinute);
  app.decorateRequest("company");
  app.decorateRequest("keyId", "");
  app.decorateRequest("remembered", undefined);
  // Only what the trail records asks for it.
  app.decorateRequest("by", {
    getter(this: FastifyRequest): KeyHolder {
      const { keyId, address, method, route } = this;
      return { keyId, address, via: `${method} ${route.url ?? ""}` };
    },
  });
  const unauthenticated = ({ headers }: FastifyRequest) =>
    new Unauthenticated(describeWrongToken(headers, options.environment));
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const waitSeconds =
      request.headers.authorization === undefined ? undefined : wrongTokens.count(request.ip);
    if (waitSeconds === undefined) return unauthenticated(request);
    reply.header("retry-after", waitSeconds);
    reply.header("ratelimit-limit", failuresPerMinute);
    reply.header("ratelimit-remaining", 0);
    reply.header("ratelimit-reset", waitSeconds);
    return new TooManyFailedAuthentications();
  };
  const tokens = new ConnectionTokens();
  const look = async (
    request: FastifyRequest,
    reply: FastifyReply,
    token: PresentedToken | undefined,
  ) => {
    const mayAsk = () => wrongTokens.mayAsk(request.ip);
    const holder = token && (await authenticator.findHolder(token, mayAsk));
    return holder === undefined ? refuse(request, reply) : admit(request, authenticator, holder);
  };
  app.decorateRequest("admitAgain", async function (this: FastifyRequest): Promise<void> {
    const token = tokens.read(this);
    const holder = token && (await authenticator.findHolder(token));
    const problem =
      holder === undefined ? unauthenticated(this) : admit(this, authenticator, holder);
    if (problem !== undefined) throw problem;
  });
  const limitRate = app.rateLimit();
  const limit = (request: FastifyRequest, reply: FastifyReply) =>
    Promise.resolve(limitRate.call(app, request, reply));
  app.addHook("onRequest", (request, reply, goOn) => {
    const token = tokens.read(request);
    request.remembered = token && authenticator.recall(token);
    const isLimited = limits.rateLimitPerSecond > 0;
    if (request.remembered !== undefined) {
      const problem = admit(request, authenticator, request.remembered);
      if (problem !== undefined || !isLimited) return goOn(problem);
      limit(request, reply).then(() => goOn(), goOn);
      return undefined;
    }
    look(request, reply, token)
      .then((problem) =>
        problem !== undefined || !isLimited ? problem : limit(request, reply).then(() => undefined),
      )
      .then(goOn, goOn);
    return undefined;
  });
  // A body may be sent so slowly that its key is revoked before its end. What is still remembered has not changed.
  app.addHook("preValidation", (request, _reply, goOn) => {
    const { remembered } = request;
    if (remembered !== undefined && authenticator.isStillGood(remembered)) return goOn();
    request.admitAgain().then(() => goOn(), goOn);
    return undefined;
  });
}

/** Undefined when the request may go on, as the holder of its token. */
function admit(
  request: FastifyRequest,
  authenticator: Authenticator,
  { company, keyId, caller }: TokenHolder,
): DomainError | undefined {
  request.caller = caller;
  activities.nameCompany(request.activity, caller.companyId);
  request.holder = company.id;
  request.company = company;
  request.keyId = keyId;
  if (isOtherCompany(request, company)) return new CompanyMismatch();
  if (authenticator.isAway(company.id)) return new DatabaseUnavailable();
  // Only to answer quickly: whatever moves money looks again, in its own transaction.
  return company.isFrozen ? new CompanyFrozen() : undefined;
}

/** X-Company-Id is optional; when it is sent it must be the token's company. */
function isOtherCompany(request: FastifyRequest, company: Company): boolean {
  const said = request.headers["x-company-id"];
  if (said === undefined || said === "") return false;
  if (typeof said !== "string") return true;
  const text = said.trim().toLowerCase();
  return (parsePublicId(companyIdPrefix, text) ?? text) !== company.id;
}
