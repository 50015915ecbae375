import type { FastifyRequest } from "fastify";

/**
 * Whether a form was sent from somebody else's page. On a payment page that could do no harm: nothing
 * there is done in anybody's name, because the browser keeps nothing for it; whoever knows the link may
 * act on it. It is refused all the same, and the wallet's cookie is not sent along in the first place.
 * Without a word from the browser it counts as our own: old ones say nothing, and under the no-referrer
 * of our own pages the origin is "null".
 */
export function isForeign(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (origin === undefined || origin === "null") return false;
  if (origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
