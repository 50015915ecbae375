import type { FastifyReply, FastifyRequest } from "fastify";
import { pathOf, sendError } from "../http/error-response.ts";
import { RouteNotFound } from "../http/errors.ts";
import type { App } from "../http/server.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";
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
  const addresses = addressesOf(settings);
  app.setErrorHandler((error, request, reply) =>
    (wantsPage(request) ? showProblem : sendError)(error, request, reply),
  );
  app.get("/", hidden, async (request, reply) => {
    if (!wantsPage(request)) return reply.send(addresses);
    const frame = frameOf(settings, request, "/");
    const page = <HomePage frame={frame} />;
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

/** The addresses of the API, its reference and the console, as JSON. It names no version, because strangers can read it. */
function addressesOf({ publicUrl }: PageSettings): Readonly<Record<string, string>> {
  const url = withoutSlashes(publicUrl);
  return {
    api: `${url}/v1`,
    openapi: `${url}/openapi.json`,
    reference: `${url}/docs`,
    guides: `${url}/docs/guides`,
    console: `${url}/console`,
    wallet: `${url}/wallet`,
  };
}

/** Browsers name HTML when a person opens an address; programs and their libraries do not. */
function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? "").split(",").some((wanted) => {
    const [type = "", weight = ""] = wanted.toLowerCase().split(";", 2);
    return type.trim() === "text/html" && !/^q=0(?:\.0*)?$/.test(weight.trim());
  });
}

async function notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const meant = request.server.findAddress(pathOf(request.originalUrl));
  await sendError(new RouteNotFound(meant), request, reply);
  return reply;
}
