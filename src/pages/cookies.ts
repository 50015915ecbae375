import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageSettings } from "./page-settings.ts";

export interface Cookie {
  readonly name: string;
  readonly path: string;
  readonly maxAgeSeconds: number;
}

export function readNamedCookie(request: FastifyRequest, name: string): string | undefined {
  const prefix = `${name}=`;
  return (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
}

/** Browsers keep a cookie as secure on https alone, and a first start has none. */
export function isServedSecurely({ publicUrl }: Pick<PageSettings, "publicUrl">): boolean {
  return publicUrl.startsWith("https:");
}

/** Sent back to the pages below its path only, and never to a script or from another site's form. */
export function writeCookie(
  settings: PageSettings,
  reply: FastifyReply,
  { name, path, maxAgeSeconds }: Cookie,
  value: string,
): void {
  reply.header(
    "set-cookie",
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; ` +
      `HttpOnly; SameSite=Lax${isServedSecurely(settings) ? "; Secure" : ""}`,
  );
}
