import rateLimit from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import { RateLimited } from "../http/errors.ts";
import { RateWindows } from "../http/rate-windows.ts";
import type { App } from "../http/server.ts";
import { parsePublicId } from "../kernel/ids.ts";
import type { Authenticator } from "./authenticate.ts";
import { type Company, companyIdPrefix } from "./company.ts";
import { CompanyMismatch, TooManyFailedAuthentications, Unauthenticated } from "./errors.ts";
import { WrongTokens } from "./wrong-tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks. Set before anything else of a request under /v1 is looked at. */
    company: Company;
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
  app.addHook("onRequest", async (request, reply) => {
    const company = await findCompany(options.authenticator, request, () =>
      wrongTokens.mayAsk(request.ip),
    );
    if (company === undefined) {
      if (request.headers.authorization === undefined) throw new Unauthenticated();
      const waitSeconds = wrongTokens.count(request.ip);
      if (waitSeconds === undefined) throw new Unauthenticated();
      reply.header("retry-after", waitSeconds);
      reply.header("ratelimit-limit", options.failuresPerMinute);
      reply.header("ratelimit-remaining", 0);
      reply.header("ratelimit-reset", waitSeconds);
      throw new TooManyFailedAuthentications();
    }
    request.holder = company.id;
    request.company = company;
    refuseOtherCompany(request, company);
  });
  if (options.rateLimitPerSecond > 0) app.addHook("onRequest", app.rateLimit());
}

async function findCompany(
  authenticator: Authenticator,
  request: FastifyRequest,
  mayAsk: () => boolean,
): Promise<Company | undefined> {
  const token = tokenOf(request);
  return token === undefined ? undefined : authenticator.findCompany(token, mayAsk);
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
