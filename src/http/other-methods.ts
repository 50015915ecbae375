import type { FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { pathOf } from "./error-response.ts";
import { MethodNotAllowed, RouteNotFound } from "./errors.ts";
import type { App } from "./server.ts";

const methods: readonly HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * A route that is answered from its address and headers alone. Whatever body comes with the request is never read:
 * nobody has to be known here to send one. The scope's hooks come first, its authentication among them.
 */
export function answerUnread(
  app: App,
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  only?: readonly HTTPMethods[],
): void {
  app.route({
    method: [...(only ?? app.supportedMethods)] as HTTPMethods[],
    url,
    schema: { hide: true },
    onRequest: async (request, reply) => {
      await answer(request, reply);
      return reply;
    },
    handler: () => Promise.reject(new RouteNotFound()),
  });
}

/** Remembers the routes of a scope and their methods, as they are added. */
export function collectRoutes(app: App): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    routes.set(url, known);
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
  for (const [url, known] of Array.from(routes, ([one, of]) => [one, [...of]] as const)) {
    const others = methods.filter((method) => !known.includes(method));
    if (others.length === 0) continue;
    const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header("allow", known.join(", "));
      throw new MethodNotAllowed(known);
    };
    answerUnread(app, url, refuse, others);
  }
}

/** Everything below an address that no other route answers. */
export function refuseTheRest(app: App, url: string): void {
  answerUnread(app, url, ({ originalUrl }) =>
    Promise.reject(new RouteNotFound(app.findAddress(pathOf(originalUrl)))),
  );
}
