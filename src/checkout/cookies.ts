import type { FastifyReply, FastifyRequest } from "fastify";
import { type Cookie, readNamedCookie, writeCookie } from "../pages/cookies.ts";
import { basePathOf, type PageSettings } from "../pages/page-settings.ts";

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
  return readNamedCookie(request, cookies[kind].name);
}

export function setCookie(
  settings: PageSettings,
  reply: FastifyReply,
  kind: CookieKind,
  value: string,
): void {
  writeCookie(settings, reply, cookieOf(settings, kind), value);
}

export function clearCookie(settings: PageSettings, reply: FastifyReply, kind: CookieKind): void {
  writeCookie(settings, reply, { ...cookieOf(settings, kind), maxAgeSeconds: 0 }, "");
}

function cookieOf(settings: PageSettings, kind: CookieKind): Cookie {
  return { ...cookies[kind], path: `${basePathOf(settings)}${cookies[kind].path}` };
}
