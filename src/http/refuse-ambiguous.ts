import type { FastifyRequest } from "fastify";
import type { DomainError } from "../kernel/domain-error.ts";
import { pathOf } from "./error-response.ts";
import { MalformedRequest, RouteNotFound, UnsupportedEncoding } from "./errors.ts";

/** Letters, digits and - . _ ~ in the notation of characters that cannot stand in an address. */
const needlessEncoding = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

/** Why a request is refused that this service and a proxy in front of it could read differently. */
export function ambiguityOf({ raw, originalUrl }: FastifyRequest): MalformedRequest | undefined {
  const { hosts, authorizations } = countHeaders(raw.rawHeaders);
  if (raw.httpVersion === "1.1" && hosts !== 1)
    return new MalformedRequest({
      en: "The request must have one Host header.",
      fr: "La requête doit avoir un seul en-tête Host.",
    });
  if (authorizations > 1)
    return new MalformedRequest({
      en: "The request must have one Authorization header.",
      fr: "La requête doit avoir un seul en-tête Authorization.",
    });
  if (!originalUrl.startsWith("/") || originalUrl.includes("#"))
    return new MalformedRequest({
      en: "The address must begin with / and have no #.",
      fr: "L’adresse doit commencer par / et ne pas contenir de #.",
    });
  if (originalUrl.includes("%") && needlessEncoding.test(pathOf(originalUrl)))
    return new MalformedRequest({
      en: "The address must have its letters and digits as they are, not as %….",
      fr: "L’adresse doit contenir ses lettres et ses chiffres tels quels, et non sous la forme %….",
    });
  return undefined;
}

/** Of several headers of these names Node.js would use the first, and a proxy perhaps the last. */
function countHeaders(rawHeaders: readonly string[]): { hosts: number; authorizations: number } {
  let hosts = 0;
  let authorizations = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations += 1;
  }
  return { hosts, authorizations };
}

/** Why a body is not read: where there is nothing, nothing is read; and nothing is unpacked, for a small body could become a very large one. */
export function bodyProblemOf(request: FastifyRequest): DomainError | undefined {
  if (request.is404)
    return new RouteNotFound(request.server.findAddress(pathOf(request.originalUrl)));
  const { headers } = request;
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity")
    return undefined;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody ? new UnsupportedEncoding() : undefined;
}
