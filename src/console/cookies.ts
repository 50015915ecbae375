import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Cookie, isServedSecurely, readNamedCookie, writeCookie } from "../pages/cookies.ts";
import { basePathOf, type PageSettings } from "../pages/page-settings.ts";

const sessionSeconds = 43_200;
const deviceSeconds = 180 * 86_400;
const deviceShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Who is signed in. Over https the name keeps every other host, also one below ours, from setting it. A first start is
 * served over http, where browsers refuse such a name.
 */
function sessionCookie(settings: PageSettings): Cookie {
  return isServedSecurely(settings)
    ? { name: "__Host-cauri_console", path: "/", maxAgeSeconds: sessionSeconds }
    : {
        name: "cauri_console",
        path: `${basePathOf(settings)}/console`,
        maxAgeSeconds: sessionSeconds,
      };
}

export function readSessionToken(
  settings: PageSettings,
  request: FastifyRequest,
): string | undefined {
  return readNamedCookie(request, sessionCookie(settings).name);
}

export function keepSessionToken(settings: PageSettings, reply: FastifyReply, token: string): void {
  writeCookie(settings, reply, sessionCookie(settings), token);
}

export function forgetSessionToken(settings: PageSettings, reply: FastifyReply): void {
  writeCookie(settings, reply, { ...sessionCookie(settings), maxAgeSeconds: 0 }, "");
}

/** Which browser it is: it says nothing of a person, and lasts when a session ends. */
function deviceCookie(settings: PageSettings): Cookie {
  const isSecure = isServedSecurely(settings);
  return {
    name: isSecure ? "__Host-cauri_device" : "cauri_device",
    path: isSecure ? "/" : `${basePathOf(settings)}/console`,
    maxAgeSeconds: deviceSeconds,
  };
}

export function readDevice(settings: PageSettings, request: FastifyRequest): string | undefined {
  const device = readNamedCookie(request, deviceCookie(settings).name);
  return device !== undefined && deviceShape.test(device) ? device : undefined;
}

/** A browser without one gets one; the others keep theirs longer. */
export function keepDevice(
  settings: PageSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const device = readDevice(settings, request) ?? randomBytes(32).toString("base64url");
  writeCookie(settings, reply, deviceCookie(settings), device);
  return device;
}
