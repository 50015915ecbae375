import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../http/server.ts";
import { redirect } from "../pages/send-page.ts";
import { chooseOwnLanguage } from "../staff/people.ts";
import { findAnySession } from "./any-session.ts";
import { bareOf } from "./bare.tsx";
import { readSessionToken } from "./cookies.ts";
import { readLocalPath } from "./local-path.ts";
import type { ConsoleParts } from "./parts.ts";

export const languagePath = "/console/language";
const options = { schema: { hide: true }, bodyLimit: 4_096, config: { proof: "none" } } as const;

/** Where somebody who is signed in chooses the language of all pages. */
export function languageRoutes(app: App, parts: ConsoleParts): void {
  // Before the body is read: a stranger's form need not be listened to.
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    if (readSessionToken(parts.settings, request) === undefined)
      redirect(reply, bareOf(parts, request).href("/console/login"));
  };
  app.post(languagePath, { ...options, preParsing }, async (request, reply) => {
    const signedIn = await findAnySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const chosen = form.get("lang");
    if (chosen === "fr" || chosen === "en")
      await chooseOwnLanguage(parts.database, signedIn.session.person.id, chosen);
    const back = readLocalPath(form.get("back") ?? undefined) ?? "/console";
    return redirect(reply, bareOf(parts, request).href(back));
  });
}
