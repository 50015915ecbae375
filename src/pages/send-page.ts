import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { acceptsGzip } from "../http/compress-answers.ts";
import { withVisibleText } from "./visible-text.ts";

const nonceBytes = 16;
const compress = promisify(gzip);
/** Above this level a page gets a hundred bytes smaller for twice the work. */
const compressionLevel = 5;

/** What of a page its headers repeat. */
export interface PageHead {
  readonly nonce: string;
  /** The code of its language. */
  readonly lang: string;
  /** Its script may send requests to our own address. */
  readonly mayAsk?: boolean;
}

/** For the styles and scripts of one page, which no other page's are let in with. */
export function newNonce(): string {
  return randomBytes(nonceBytes).toString("base64");
}

/**
 * Renders and sends a page: compressed if the browser accepts that, and with headers that restrict what the page may
 * do.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { nonce, lang, mayAsk = false }: PageHead,
  page: VNode,
  status = 200,
): Promise<FastifyReply> {
  const html = toHtml(page);
  hemIn(reply)
    .code(status)
    .header("content-security-policy", policyOf(nonce, mayAsk))
    .header("content-language", lang)
    .header("vary", "Accept-Encoding, Accept-Language")
    .type("text/html; charset=utf-8");
  if (!acceptsGzip(request.headers["accept-encoding"])) return reply.send(html);
  return reply
    .header("content-encoding", "gzip")
    .send(await compress(html, { level: compressionLevel }));
}

function toHtml(page: VNode): string {
  return `<!doctype html>${withVisibleText(renderToString(page))}`;
}

/** What a page weighs on the way to its reader. */
export async function weigh(page: VNode): Promise<number> {
  return (await compress(toHtml(page), { level: compressionLevel })).length;
}

/**
 * Headers of everything that a reader's browser gets from us, pictures and redirects included; beside those
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

/** Proxies refuse an answer with long headers. */
const addressMax = 1_500;

/**
 * After a POST the browser is sent to the page that shows what became of it. Where the address would be too long for a header, to
 * the page without its query, or above it.
 */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
  return hemIn(reply).redirect(fittingAddress(address), 303);
}

function fittingAddress(address: string): string {
  if (address.length <= addressMax) return address;
  const [path = ""] = address.split("?", 1);
  return path.length <= addressMax ? path : path.slice(0, path.lastIndexOf("/", addressMax));
}

function policyOf(nonce: string, mayAsk: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // Logos come from our own address, or stand inside the page like its empty icon.
    "img-src 'self' data:",
    ...(mayAsk ? ["connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
