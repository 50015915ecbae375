import type { FastifyReply, FastifyRequest } from "fastify";
import { companyIdPrefix } from "../companies/company.ts";
import { findCompany, placeOfCompany } from "../companies/find-company.ts";
import type { App } from "../http/server.ts";
import { activities } from "../kernel/activity-board.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import { isForeign } from "../pages/foreign-requests.ts";
import { redirect } from "../pages/send-page.ts";
import { type CompanyRole, type Permission, roleMay } from "../staff/roles.ts";
import {
  type FoundSession,
  findSession,
  formTokenOf,
  isFormToken,
  isFormTokenFor,
  keepSession,
  lacksSecondFactor,
  leaveNotice,
} from "../staff/sessions.ts";
import { bareOf, languageOf, sendProblem } from "./bare.tsx";
import type {
  ActionContext,
  ConsoleCompany,
  Notice,
  ScreenContext,
  VisitContext,
} from "./context.ts";
import { readSessionToken } from "./cookies.ts";
import type { ConsoleParts } from "./parts.ts";
import { type ProofNeeded, proofFor, proofsOf } from "./proofs.ts";
import { sendView } from "./send-view.tsx";
import { askAgain, asksForProof, type ProofRefusal, takeProof } from "./step-up.tsx";
import { frameWords } from "./words/frame.ts";

export interface ScreenOptions {
  /** What the person's role must allow: one of these. "anyone": everybody who is signed in. */
  readonly may: Permission | readonly Permission[] | "anyone";
}

export type ActionOptions = ScreenOptions & FormOptions<ActionContext>;

export type FormOptions<Context> = {
  /** What the form may weigh; without it, as much as a page of fields needs. */
  readonly bytesMax?: number;
} & (
  | {
      /** What the form takes beside the session: see there. */
      readonly proof: Exclude<ProofNeeded, "password">;
      readonly again?: undefined;
    }
  | {
      readonly proof: "password";
      /** Shows the form again, since nothing secret is sent back to be kept in a page. */
      readonly again: (context: Context, refusal: ProofRefusal) => Promise<FastifyReply>;
    }
);

const formBytesMax = 16 * 1_024;

/** A page. Session, membership, company and permission are looked at before the handler sees anything. */
export function screen(
  app: App,
  parts: ConsoleParts,
  path: string,
  options: ScreenOptions,
  handler: (context: ScreenContext) => Promise<FastifyReply>,
): void {
  servePage(app, parts, path, letIntoCompany(parts, options), handler);
}

/** What a form is sent to: the same, after a look at where the form comes from and whose it is. */
export function action(
  app: App,
  parts: ConsoleParts,
  path: string,
  options: ActionOptions,
  handler: (context: ActionContext) => Promise<FastifyReply>,
): void {
  takeForm(app, parts, path, letIntoCompany(parts, options), options, handler);
}

/** Answers the request of whoever may not see what is there, and is undefined then. */
export type LetIn<Context> = (
  signedIn: SignedIn,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Context | undefined>;

export function servePage<Context>(
  app: App,
  parts: ConsoleParts,
  path: string,
  letIn: LetIn<Context>,
  handler: (context: Context) => Promise<FastifyReply>,
): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const signedIn = await findSignedIn(parts, request, reply);
    if (signedIn === undefined) return reply;
    const context = await letIn(signedIn, request, reply);
    if (context === undefined) return reply;
    await keepSession(parts.database, signedIn.token);
    return handler(context);
  });
}

/** Those whose sender was found good before the form was read. */
const fromSignedIn = new WeakSet<FastifyRequest>();

type Formed<Context> = Context & { readonly form: URLSearchParams };

export function takeForm<Context extends VisitContext>(
  app: App,
  parts: ConsoleParts,
  path: string,
  letIn: LetIn<Context>,
  { proof, again, bytesMax = formBytesMax }: FormOptions<Formed<Context>>,
  handler: (context: Formed<Context>) => Promise<FastifyReply>,
): void {
  app.post(
    path,
    {
      schema: { hide: true },
      bodyLimit: bytesMax,
      config: { proof },
      // Before the body is read: whoever may not send it need not be listened to.
      preParsing: async (request, reply) => {
        if (isForeign(request, parts.settings.publicUrl)) {
          await sendProblem(parts, request, reply, "foreign", 403);
          return;
        }
        if ((await findSignedIn(parts, request, reply)) !== undefined) fromSignedIn.add(request);
      },
    },
    async (request, reply) => {
      if (!fromSignedIn.has(request)) return reply;
      // Once more: while somebody took the time to send the form, the session may have ended, or the role may be another.
      const signedIn = await findSignedIn(parts, request, reply);
      if (signedIn === undefined) return reply;
      const query = queryOf(request);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      // A file is sent as it is, without fields: then the address carries the token.
      const formToken = form.get("token") ?? query.get("token") ?? "";
      if (!isFormToken(signedIn.token, formToken))
        return sendProblem(parts, request, reply, "stale", 403);
      if (!isFormTokenFor(signedIn.token, signedIn.session.companyId, formToken))
        return sendProblem(parts, request, reply, "otherCompany", 403);
      const context = await letIn(signedIn, request, reply);
      if (context === undefined) return reply;
      await keepSession(parts.database, signedIn.token);
      if (!asksForProof(proof, signedIn.session)) return handler({ ...context, form });
      const refusal = await takeProof(parts, { ...context, form });
      if (refusal !== undefined)
        return again === undefined
          ? askAgain(parts, { ...context, form }, refusal)
          : again({ ...context, form }, refusal);
      // From here on the session is fresh: its pages do not ask again.
      const stepUp = { ...context.stepUp, asks: () => undefined };
      return handler({ ...context, form, stepUp });
    },
  );
}

export interface SignedIn {
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

/** Whoever works for a company and may do one of these there. */
function letIntoCompany(parts: ConsoleParts, { may }: ScreenOptions): LetIn<ScreenContext> {
  return async (signedIn, request, reply) => {
    const { database, settings } = parts;
    const { companyId, role, person } = signedIn.session;
    const { href } = bareOf(parts, request);
    if (lacksSecondFactor(signedIn.session)) {
      redirect(reply, href("/console/second-factor"));
      return undefined;
    }
    const company =
      companyId === null || role === null ? undefined : await findCompany(database, companyId);
    if (company === undefined || role === null) {
      // Nobody's company any more, or an operator without one: there they choose where to go.
      const isAtWork = person.isOperator && companyId === null;
      redirect(reply, href(isAtWork ? "/console/operations" : "/console/companies"));
      return undefined;
    }
    activities.nameCompany(request.activity, toPublicId(companyIdPrefix, company.id));
    if (!isAllowed(role, may)) {
      await sendProblem(parts, request, reply, "forbidden", 403);
      return undefined;
    }
    const place = placeOfCompany(company, settings.country);
    const shown: ConsoleCompany = {
      id: company.id,
      name: company.name,
      timeZone: place.timeZone,
      country: place.country.code,
      isFrozen: company.isFrozen,
    };
    const context: ScreenContext = {
      ...(await visitOf(parts, signedIn, request, reply)),
      company: shown,
      role,
      may: (permission) => roleMay(role, permission),
      send: (view) => sendView(parts, context, view),
    };
    return context;
  };
}

/** What every page is handed, whomever the person works for. */
export async function visitOf(
  parts: ConsoleParts,
  { token, session }: SignedIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Omit<VisitContext, "send">> {
  const { person } = session;
  const language = ownLanguage(session, request);
  const { nonce, href } = bareOf(parts, request);
  return {
    request,
    reply,
    person,
    session,
    sessionToken: token,
    language,
    words: frameWords[language],
    query: queryOf(request),
    params: (request.params ?? {}) as Readonly<Record<string, string>>,
    by: {
      personId: person.id,
      sessionId: session.id,
      address: request.address,
      via: `${request.method} ${request.route.url ?? ""}`,
    },
    nonce,
    href,
    formToken: formTokenOf(token, session.companyId),
    stepUp: {
      asks: (path) => {
        const needed = proofFor(proofsOf(request.server), path);
        if (!asksForProof(needed, session)) return undefined;
        return needed === "password" ? "code" : "any";
      },
      hasPasskey: session.hasPasskey,
      language,
    },
    async seeOther(path, notice?: Notice) {
      if (notice !== undefined) await leaveNotice(parts.database, token, JSON.stringify(notice));
      return redirect(reply, href(path));
    },
  };
}

function isAllowed(role: CompanyRole, may: ScreenOptions["may"]): boolean {
  if (may === "anyone") return true;
  return [may].flat().some((permission) => roleMay(role, permission));
}

/** The language that this page is asked for in; else the one that was chosen for all of them; else what the browser asks for. */
function ownLanguage({ person }: FoundSession, request: FastifyRequest): Language {
  const asked = queryOf(request).get("lang");
  if (asked === "fr" || asked === "en") return asked;
  return person.language ?? languageOf(request);
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split("?", 2)[1] ?? "");
}
