import type { FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "../http/error-response.ts";
import { RouteNotFound } from "../http/errors.ts";
import type { App } from "../http/server.ts";
import { version } from "../kernel/version.ts";
import { type PageSettings } from "../pages/page-settings.ts";
import { frameOf, sendFramed } from "./frame-of.ts";
import { problemHandler, sendProblem } from "./problems.tsx";
import { GuidePage } from "./views/guide-page.tsx";
import { HomePage } from "./views/home-page.tsx";

const hidden = { schema: { hide: true } };

/**
 * What a browser finds that was sent to no page in particular. Programs are answered in JSON, as everywhere. A scope of its
 * own, because its errors are for both too.
 */
export async function homeRoutes(app: App, settings: PageSettings): Promise<void> {
  const showProblem = problemHandler(settings);
  app.setErrorHandler((error, request, reply) =>
    (wantsPage(request) ? showProblem : sendError)(error, request, reply),
  );
  app.get("/", hidden, async (request, reply) => {
    if (!wantsPage(request)) return notFound(request, reply);
    const frame = frameOf(settings, request, "/");
    const page = <HomePage frame={frame} version={version} />;
    return sendFramed(request, reply, frame, page);
  });
  app.get("/guide", hidden, async (request, reply) => {
    const frame = frameOf(settings, request, "/guide");
    const page = <GuidePage frame={frame} url={settings.publicUrl} brand={settings.brand} />;
    return sendFramed(request, reply, frame, page);
  });
  app.get("/*", hidden, async (request, reply) =>
    wantsPage(request) ? sendProblem(settings, request, reply, 404) : notFound(request, reply),
  );
}

/** Browsers name HTML when a person opens an address; programs and their libraries do not. */
function wantsPage(request: FastifyRequest): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.accept ?? "");
}

async function notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await sendError(new RouteNotFound(), request, reply);
  return reply;
}
