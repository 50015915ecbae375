import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptsGzip } from "../http/compress-answers.ts";
import { collectRoutes, refuseOtherMethods } from "../http/other-methods.ts";
import type { App } from "../http/server.ts";
import { type Language, preferredLanguage } from "../kernel/language.ts";
import { hemIn } from "../pages/send-page.ts";
import { guides, guidesPath } from "./guides/guides.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import {
  type PreparedPage,
  prepareGuide,
  preparePage,
  type ReferenceSettings,
} from "./prepare-page.tsx";

/** The reference of the API and the guides, for people: pages in two languages, the same for everybody. */
export async function referenceRoutes(
  scope: App,
  settings: ReferenceSettings & { readonly readDocument: () => object },
): Promise<void> {
  const routes = collectRoutes(scope);
  const show = (path: string, prepare: (language: Language) => PreparedPage) => {
    const pages = new Map<Language, PreparedPage>();
    scope.get(path, { schema: { hide: true } }, async (request, reply) => {
      const language = chooseLanguage(request);
      // Made when first asked for: most nodes of an installation are never asked.
      const page = pages.get(language) ?? prepare(language);
      pages.set(language, page);
      return send(request, reply, page, language);
    });
  };
  show("/docs", (language) =>
    preparePage(settings.readDocument() as OpenApiDocument, language, settings),
  );
  show(guidesPath, (language) => prepareGuide(undefined, language, settings));
  for (const { name } of guides)
    show(`${guidesPath}/${name}`, (language) => prepareGuide(name, language, settings));
  refuseOtherMethods(scope, routes);
}

/** The language asked for in the address; else the best of Accept-Language; else French, as on every page. */
function chooseLanguage({ query, headers }: FastifyRequest): Language {
  const asked = (query as Readonly<Record<string, unknown>>)["lang"];
  if (asked === "fr" || asked === "en") return asked;
  return preferredLanguage(headers["accept-language"]) ?? "fr";
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PreparedPage,
  language: Language,
): FastifyReply {
  const isCompressed = acceptsGzip(request.headers["accept-encoding"]);
  const tag = `"${page.fingerprint}${isCompressed ? "-gzip" : ""}"`;
  hemIn(reply)
    .header("content-security-policy", page.policy)
    .header("content-language", language)
    .header("vary", "Accept-Encoding, Accept-Language")
    // Kept, and asked about before it is used: after an upgrade nobody reads the old one.
    .header("cache-control", "no-cache")
    .header("etag", tag);
  if (namesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  reply.type("text/html; charset=utf-8");
  if (!isCompressed) return reply.send(page.html);
  return reply.header("content-encoding", "gzip").send(page.compressed);
}

/** A proxy may have made it a weak one. */
function namesTag(header: string | undefined, tag: string): boolean {
  return (header ?? "").split(",", 20).some((one) => one.trim().replace(/^W\//, "") === tag);
}
