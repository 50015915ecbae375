import rateLimit from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import { RateLimited } from "../http/errors.ts";
import { RateWindows } from "../http/rate-windows.ts";
import type { App } from "../http/server.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import type { KeyHolder } from "../trail/actor.ts";
import type { Authenticator, TokenHolder } from "./authenticate.ts";
import { type Company, companyIdPrefix } from "./company.ts";
import { CompanyMismatch, TooManyFailedAuthentications, Unauthenticated } from "./errors.ts";
import { WrongTokens } from "./wrong-tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks. Set before anything else of a request under /v1 is looked at. */
    company: Company;
    /** The same for the trail. */
    by: KeyHolder;
  }
}

export interface AuthenticationOptions {
  readonly authenticator: Authenticator;
  readonly rateLimitPerSecond: number;
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
  await app.register(rateLimit, {
    global: false,
    max: options.rateLimitPerSecond,
    timeWindow: 1_000,
    enableDraftSpec: true,
    store: RateWindows,
    keyGenerator: (request) => request.company.id,
    errorResponseBuilder: (_request, { max }) => new RateLimited(max),
  });
  const wrongTokens = new WrongTokens(options.failuresPerMinute);

  app.decorateRequest("company");
  app.decorateRequest("by");
  app.addHook("onRequest", async (request, reply) => {
    const holder = await findHolder(options.authenticator, request, () =>
      wrongTokens.mayAsk(request.ip),
    );
    if (holder === undefined) {
      if (request.headers.authorization === undefined) throw new Unauthenticated();
      const waitSeconds = wrongTokens.count(request.ip);
      if (waitSeconds === undefined) throw new Unauthenticated();
      reply.header("retry-after", waitSeconds);
      reply.header("ratelimit-limit", options.failuresPerMinute);
      reply.header("ratelimit-remaining", 0);
      reply.header("ratelimit-reset", waitSeconds);
      throw new TooManyFailedAuthentications();
    }
    const { company, keyId, caller } = holder;
    request.caller = caller;
    request.holder = company.id;
    request.company = company;
    request.by = {
      keyId,
      address: request.address,
      via: `${request.method} ${request.routeOptions.url ?? ""}`,
    };
    refuseOtherCompany(request, company);
    // Only to answer quickly: whatever moves money looks again, in its own transaction.
    if (company.isFrozen) throw new CompanyFrozen();
  });
  if (options.rateLimitPerSecond > 0) app.addHook("onRequest", app.rateLimit());
}

async function findHolder(
  authenticator: Authenticator,
  request: FastifyRequest,
  mayAsk: () => boolean,
): Promise<TokenHolder | undefined> {
  const token = tokenOf(request);
  return token === undefined ? undefined : authenticator.findHolder(token, mayAsk);
}

function tokenOf(request: FastifyRequest): string | undefined {
  const [scheme, token, ...rest] = (request.headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && rest.length === 0 ? token : undefined;
}

/** X-Company-Id is optional; when it is sent it must be the token's company. */
function refuseOtherCompany(request: FastifyRequest, company: Company): void {
  const said = request.headers["x-company-id"];
  if (said === undefined || said === "") return;
  if (typeof said !== "string") throw new CompanyMismatch();
  const text = said.trim().toLowerCase();
  if ((parsePublicId(companyIdPrefix, text) ?? text) !== company.id) throw new CompanyMismatch();
}
