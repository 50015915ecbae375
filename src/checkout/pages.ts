import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Operator } from "../config.ts";
import { acceptsGzip } from "../http/compress-answers.ts";
import { type Country, type Place, placeOf } from "../kernel/countries.ts";
import { chooseLanguage } from "./language.ts";
import type { Frame } from "./views/frame.ts";

/** What the pages of an installation have in common. */
export interface PageSettings {
  readonly publicUrl: string;
  readonly isProduction: boolean;
  readonly operator: Operator;
  /** Where readers are of whom nothing else is known. */
  readonly country: Country;
  /** The name in the headers of notifications. */
  readonly brand: string;
}

const nonceBytes = 16;
const compress = promisify(gzip);
/** Above this level a page gets a hundred bytes smaller for twice the work. */
const compressionLevel = 5;

/** Page, styles, script and pictures together, compressed: what a first round trip can carry. */
export const pageBytesMax = 14 * 1_024;

/** The frame of the page that answers a request, in the language its reader wants. */
export function frameOf(
  settings: PageSettings,
  request: FastifyRequest,
  path: string | undefined,
  place: Place = placeOf(settings.country),
): Frame {
  const asked = (request.query as Record<string, unknown> | undefined)?.["lang"];
  const language = chooseLanguage(asked, request.headers["accept-language"]);
  const base = basePathOf(settings);
  return {
    words: language.words,
    nonce: randomBytes(nonceBytes).toString("base64"),
    isTest: !settings.isProduction,
    operator: settings.operator,
    place,
    path,
    href: (to, query = {}) => {
      const text = new URLSearchParams({ ...language.query, ...query }).toString();
      return `${base}${to}${text === "" ? "" : `?${text}`}`;
    },
  };
}

/** The path of PUBLIC_URL, without a slash at its end: an installation may share its host with others. */
export function basePathOf({ publicUrl }: Pick<PageSettings, "publicUrl">): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}

/**
 * Renders and sends a page: compressed if the browser accepts that, and with headers that restrict what the page may
 * do.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Frame,
  page: VNode,
  status = 200,
): Promise<FastifyReply> {
  const html = toHtml(page);
  hemIn(reply)
    .code(status)
    .header("content-security-policy", policyOf(frame.nonce))
    .header("content-language", frame.words.lang)
    .header("vary", "Accept-Encoding, Accept-Language")
    .type("text/html; charset=utf-8");
  if (!acceptsGzip(request.headers["accept-encoding"])) return reply.send(html);
  return reply
    .header("content-encoding", "gzip")
    .send(await compress(html, { level: compressionLevel }));
}

function toHtml(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** What a page weighs on the way to its reader. */
export async function weigh(page: VNode): Promise<number> {
  return (await compress(toHtml(page), { level: compressionLevel })).length;
}

/**
 * Headers of everything that a payer's browser gets from us, pictures and redirects included; beside those
 * that every answer has.
 */
export function hemIn(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "x-robots-tag": "noindex, nofollow",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
}

/** After a POST the browser is sent to the page that shows what became of it. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
  return hemIn(reply).redirect(address, 303);
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // Logos come from our own address, or stand inside the page like its empty icon.
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
