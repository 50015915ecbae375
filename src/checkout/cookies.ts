import type { FastifyReply, FastifyRequest } from "fastify";
import { basePathOf, type PageSettings } from "./pages.ts";

/**
 * session: who is signed in. phone: whose code is being waited for. browser: whose codes are whose; it says nothing of
 * a person, and lasts as long as a phone remembers the browser.
 */
const cookies = {
  session: { name: "cauri_wallet", maxAgeSeconds: 43_200, path: "/wallet" },
  phone: { name: "cauri_wallet_phone", maxAgeSeconds: 900, path: "/wallet" },
  browser: { name: "cauri_browser", maxAgeSeconds: 180 * 86_400, path: "/" },
} as const;
type CookieKind = keyof typeof cookies;

export function readCookie(request: FastifyRequest, kind: CookieKind): string | undefined {
  const prefix = `${cookies[kind].name}=`;
  return (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
}

/** Sent back to these pages only, and never to a script or from another site's form. */
export function setCookie(
  settings: PageSettings,
  reply: FastifyReply,
  kind: CookieKind,
  value: string,
): void {
  writeCookie(settings, reply, kind, value, cookies[kind].maxAgeSeconds);
}

export function clearCookie(settings: PageSettings, reply: FastifyReply, kind: CookieKind): void {
  writeCookie(settings, reply, kind, "", 0);
}

function writeCookie(
  settings: PageSettings,
  reply: FastifyReply,
  kind: CookieKind,
  value: string,
  maxAgeSeconds: number,
): void {
  const isSecure = settings.publicUrl.startsWith("https:");
  const { name, path } = cookies[kind];
  reply.header(
    "set-cookie",
    `${name}=${value}; Path=${basePathOf(settings)}${path}; Max-Age=${maxAgeSeconds}; ` +
      `HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`,
  );
}
