import type { FastifyReply, FastifyRequest } from "fastify";
import { isForeign } from "../pages/foreign-requests.ts";
import { redirect } from "../pages/send-page.ts";
import {
  type FoundSession,
  findSession,
  isFormToken,
  lacksSecondFactor,
} from "../staff/sessions.ts";
import { bareOf, sendProblem } from "./bare.tsx";
import { readSessionToken } from "./cookies.ts";
import type { ConsoleParts } from "./parts.ts";

export interface AnySession {
  readonly token: string;
  readonly session: FoundSession;
}

/** Whoever has a session, for whichever company; undefined once the request was answered. */
export async function findAnySession(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnySession | undefined> {
  if (request.method === "POST" && isForeign(request, parts.settings.publicUrl)) {
    await sendProblem(parts, request, reply, "foreign", 403);
    return undefined;
  }
  const token = readSessionToken(parts.settings, request);
  const session = token === undefined ? undefined : await findSession(parts.database, token);
  if (token === undefined || session?.isOpen !== true) {
    redirect(reply, bareOf(parts, request).href("/console/login"));
    return undefined;
  }
  const form = request.body instanceof URLSearchParams ? request.body : undefined;
  if (request.method === "POST" && !isFormToken(token, form?.get("token") ?? "")) {
    await sendProblem(parts, request, reply, "stale", 403);
    return undefined;
  }
  return { token, session };
}

/** The same, of whoever has the second factor that it takes: nothing else is done before. */
export async function findReadySession(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnySession | undefined> {
  const found = await findAnySession(parts, request, reply);
  if (found === undefined || !lacksSecondFactor(found.session)) return found;
  redirect(reply, bareOf(parts, request).href("/console/second-factor"));
  return undefined;
}
