import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type PageSettings } from "../pages/page-settings.ts";
import { readCookie, setCookie } from "./cookies.ts";

const secretBytes = 32;
const secretShape = /^[A-Za-z0-9_-]{43}$/;

/** The hash by which a browser that has asked for a code before is recognised; undefined when it has not. */
export function browserOf(request: FastifyRequest): Buffer | undefined {
  const secret = readCookie(request, "browser");
  return secret !== undefined && secretShape.test(secret) ? hashOf(secret) : undefined;
}

/** The same for a browser that is about to ask for a code: one without a cookie gets one, others keep theirs longer. */
export function keepBrowser(
  settings: PageSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer {
  const known = readCookie(request, "browser") ?? "";
  const secret = secretShape.test(known) ? known : randomBytes(secretBytes).toString("base64url");
  setCookie(settings, reply, "browser", secret);
  return hashOf(secret);
}

/**
 * What the address of the next page says when a code was asked for by a browser without a cookie. It was given one; if
 * it comes without it again, it takes none.
 */
export function askedWithoutCookie(request: FastifyRequest): Record<string, string> {
  return browserOf(request) === undefined ? { asked: "1" } : {};
}

export function refusesCookies(request: FastifyRequest): boolean {
  const { asked } = request.query as { readonly asked?: unknown };
  return asked === "1" && browserOf(request) === undefined;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
