import type { FastifyReply, FastifyRequest } from "fastify";
import { findCompany, placeOfCompany } from "../companies/find-company.ts";
import type { App } from "../http/server.ts";
import type { Language } from "../kernel/language.ts";
import { isForeign } from "../pages/foreign-requests.ts";
import { redirect } from "../pages/send-page.ts";
import { chooseOwnLanguage } from "../staff/people.ts";
import { type CompanyRole, type Permission, roleMay } from "../staff/roles.ts";
import {
  type FoundSession,
  findSession,
  formTokenOf,
  isFormToken,
  keepSession,
  lacksSecondFactor,
  leaveNotice,
} from "../staff/sessions.ts";
import { bareOf, languageOf, sendProblem } from "./bare.tsx";
import type { ActionContext, ConsoleCompany, Notice, ScreenContext } from "./context.ts";
import { readSessionToken } from "./cookies.ts";
import type { ConsoleParts } from "./parts.ts";
import { sendView } from "./send-view.tsx";
import { frameWords } from "./words/frame.ts";

export interface ScreenOptions {
  /** What the person's role must allow: one of these. "anyone": everybody who is signed in. */
  readonly may: Permission | readonly Permission[] | "anyone";
}

export interface ActionOptions extends ScreenOptions {
  /** What the form may weigh; without it, as much as a page of fields needs. */
  readonly bytesMax?: number;
}

const formBytesMax = 16 * 1_024;

/** A page. Session, membership, company and permission are looked at before the handler sees anything. */
export function screen(
  app: App,
  parts: ConsoleParts,
  path: string,
  options: ScreenOptions,
  handler: (context: ScreenContext) => Promise<FastifyReply>,
): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const signedIn = await findSignedIn(parts, request, reply);
    if (signedIn === undefined) return reply;
    const context = await contextOf(parts, signedIn, request, reply, options);
    if (context === undefined) return reply;
    await keepSession(parts.database, signedIn.token);
    return handler(context);
  });
}

/** What a form is sent to: the same, after a look at where the form comes from and whose it is. */
export function action(
  app: App,
  parts: ConsoleParts,
  path: string,
  options: ActionOptions,
  handler: (context: ActionContext) => Promise<FastifyReply>,
): void {
  const { bytesMax = formBytesMax } = options;
  app.post(
    path,
    {
      schema: { hide: true },
      bodyLimit: bytesMax,
      // Before the body is read: whoever may not send it need not be listened to.
      preParsing: async (request, reply) => {
        if (isForeign(request, parts.settings.publicUrl))
          await sendProblem(parts, request, reply, "foreign", 403);
      },
    },
    async (request, reply) => {
      const signedIn = await findSignedIn(parts, request, reply);
      if (signedIn === undefined) return reply;
      const query = queryOf(request);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      // A file is sent as it is, without fields: then the address carries the token.
      const formToken = form.get("token") ?? query.get("token") ?? "";
      if (!isFormToken(signedIn.token, formToken))
        return sendProblem(parts, request, reply, "stale", 403);
      const context = await contextOf(parts, signedIn, request, reply, options);
      if (context === undefined) return reply;
      await keepSession(parts.database, signedIn.token);
      return handler({ ...context, form });
    },
  );
}

interface SignedIn {
  readonly token: string;
  readonly session: FoundSession;
}

/** Whoever is signed in; undefined once the browser was sent to where it has to be first. */
async function findSignedIn(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | undefined> {
  const token = readSessionToken(parts.settings, request);
  const session = token === undefined ? undefined : await findSession(parts.database, token);
  const { href } = bareOf(parts, request);
  if (token === undefined || session === undefined) {
    const back = request.method === "GET" ? { next: request.url.slice(0, 1_000) } : undefined;
    redirect(reply, href("/console/login", back));
    return undefined;
  }
  if (!session.isOpen) {
    redirect(reply, href("/console/login/code"));
    return undefined;
  }
  return { token, session };
}

async function contextOf(
  parts: ConsoleParts,
  { token, session }: SignedIn,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ScreenOptions,
): Promise<ScreenContext | undefined> {
  const { database, settings } = parts;
  const { companyId, role, person } = session;
  if (lacksSecondFactor(session)) {
    redirect(reply, bareOf(parts, request).href("/console/second-factor"));
    return undefined;
  }
  const company =
    companyId === null || role === null ? undefined : await findCompany(database, companyId);
  if (company === undefined || role === null) {
    // Nobody's company any more, or an operator without one: there they choose where to go.
    redirect(reply, bareOf(parts, request).href("/console/companies"));
    return undefined;
  }
  if (!isAllowed(role, options.may)) {
    await sendProblem(parts, request, reply, "forbidden", 403);
    return undefined;
  }
  const language = await ownLanguage(parts, session, request);
  const { nonce, href } = bareOf(parts, request);
  const place = placeOfCompany(company, settings.country);
  const shown: ConsoleCompany = {
    id: company.id,
    name: company.name,
    timeZone: place.timeZone,
    country: place.country.code,
    isFrozen: company.isFrozen,
  };
  const context: ScreenContext = {
    request,
    reply,
    person,
    company: shown,
    role,
    session,
    sessionToken: token,
    language,
    words: frameWords[language],
    query: queryOf(request),
    params: (request.params ?? {}) as Readonly<Record<string, string>>,
    by: {
      personId: person.id,
      address: request.address,
      via: `${request.method} ${request.routeOptions.url ?? ""}`,
    },
    nonce,
    href,
    formToken: formTokenOf(token),
    may: (permission) => roleMay(role, permission),
    send: (view) => sendView(parts, context, view),
    async seeOther(path, notice?: Notice) {
      if (notice !== undefined) await leaveNotice(database, token, JSON.stringify(notice));
      return redirect(reply, href(path));
    },
  };
  return context;
}

function isAllowed(role: CompanyRole, may: ScreenOptions["may"]): boolean {
  if (may === "anyone") return true;
  return [may].flat().some((permission) => roleMay(role, permission));
}

/** The language asked for by hand, which is kept; else the one that was kept; else what the browser asks for. */
async function ownLanguage(
  { database }: ConsoleParts,
  { person }: FoundSession,
  request: FastifyRequest,
): Promise<Language> {
  const asked = queryOf(request).get("lang");
  if (asked !== "fr" && asked !== "en") return person.language ?? languageOf(request);
  if (asked !== person.language) await chooseOwnLanguage(database, person.id, asked);
  return asked;
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split("?", 2)[1] ?? "");
}
