import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { type Place, placeOf } from "../kernel/countries.ts";
import { basePathOf, type PageSettings } from "../pages/page-settings.ts";
import { newNonce, sendPage } from "../pages/send-page.ts";
import { chooseLanguage } from "./language.ts";
import type { Frame } from "./views/frame.ts";

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
    nonce: newNonce(),
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

/** Sends a page in the language of its frame. */
export function sendFramed(
  request: FastifyRequest,
  reply: FastifyReply,
  { nonce, words }: Frame,
  page: VNode,
  status = 200,
): Promise<FastifyReply> {
  return sendPage(request, reply, { nonce, lang: words.lang }, page, status);
}
