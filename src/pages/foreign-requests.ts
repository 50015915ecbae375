import type { FastifyRequest } from "fastify";

/**
 * Whether a form was sent from the page of another site, which is refused. It could do little harm: a payment page
 * acts on its link alone, which the other site would have to know, and the wallet's cookie is not sent from other
 * sites (SameSite). A browser that does not say where a form comes from is believed to be on our page: old browsers
 * never say, and on our own pages, which have no referrer, the origin is "null".
 */
export function isForeign(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (origin === undefined || origin === "null") return false;
  if (origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
