import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DatabaseUnavailable } from "../database/errors.ts";
import { RateLimited } from "../http/errors.ts";
import { type CountOne, RateWindows, windowsCountedBy } from "../http/rate-windows.ts";
import type { App } from "../http/server.ts";
import type { DomainError } from "../kernel/domain-error.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import type { KeyHolder } from "../trail/actor.ts";
import type { Authenticator, TokenHolder } from "./authenticate.ts";
import { type Company, companyIdPrefix } from "./company.ts";
import { ConnectionTokens, type PresentedToken } from "./connection-tokens.ts";
import { CompanyMismatch, TooManyFailedAuthentications, Unauthenticated } from "./errors.ts";
import { WrongTokens } from "./wrong-tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks. Set before anything else of a request under /v1 is looked at. */
    company: Company;
    /** By which key. */
    keyId: string;
    /** The same for the trail. */
    readonly by: KeyHolder;
  }
}

export interface AuthenticationOptions {
  readonly authenticator: Authenticator;
  readonly rateLimitPerSecond: number;
  /** Where requests are counted for that; by default, in this process. */
  readonly countOne?: CountOne | undefined;
  readonly failuresPerMinute: number;
}

/**
 * Every route of this scope needs a good token, and is refused before its body is even read. A good token
 * always works; only answers to wrong ones are limited per address, so nobody is shut out by a neighbour.
 */
export async function requireAuthentication(
  app: App,
  options: AuthenticationOptions,
): Promise<void> {
  const { authenticator, failuresPerMinute } = options;
  await app.register(rateLimit, {
    global: false,
    max: options.rateLimitPerSecond,
    timeWindow: 1_000,
    enableDraftSpec: true,
    store: options.countOne === undefined ? RateWindows : windowsCountedBy(options.countOne),
    keyGenerator: (request) => request.company.id,
    errorResponseBuilder: (_request, { max }) => new RateLimited(max),
  });

  const wrongTokens = new WrongTokens(failuresPerMinute);
  app.decorateRequest("company");
  app.decorateRequest("keyId", "");
  // Only what the trail records asks for it.
  app.decorateRequest("by", {
    getter(this: FastifyRequest): KeyHolder {
      const { keyId, address, method, routeOptions } = this;
      return { keyId, address, via: `${method} ${routeOptions.url ?? ""}` };
    },
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const waitSeconds =
      request.headers.authorization === undefined ? undefined : wrongTokens.count(request.ip);
    if (waitSeconds === undefined) return new Unauthenticated();
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
  app.addHook("onRequest", (request, reply, goOn) => {
    const token = tokens.read(request);
    const remembered = token && authenticator.recall(token);
    if (remembered !== undefined) return goOn(admit(request, authenticator, remembered));
    look(request, reply, token).then(goOn, goOn);
    return undefined;
  });
  if (options.rateLimitPerSecond > 0) app.addHook("onRequest", app.rateLimit());
}

/** Undefined when the request may go on, as the holder of its token. */
function admit(
  request: FastifyRequest,
  authenticator: Authenticator,
  { company, keyId, caller }: TokenHolder,
): DomainError | undefined {
  request.caller = caller;
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
