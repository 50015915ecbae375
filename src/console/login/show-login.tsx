import type { FastifyReply, FastifyRequest } from "fastify";
import { passkeySiteOf } from "../../staff/passkey-site.ts";
import { findSession, formTokenOf } from "../../staff/sessions.ts";
import type { AnySession } from "../any-session.ts";
import { bareOf, sendBare } from "../bare.tsx";
import { readSessionToken } from "../cookies.ts";
import { readLocalPath } from "../local-path.ts";
import type { ConsoleParts } from "../parts.ts";
import { siteOfPasskeys } from "../read-proof.ts";
import { loginWords } from "../words/login.ts";
import { CodeView, LoginView } from "./login-views.tsx";

/** The page where everybody signs in. */
export function showLogin(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: {
    readonly next: string | undefined;
    readonly email?: string;
    readonly problem?: string;
    readonly said?: string | undefined;
    readonly status?: number;
  },
): Promise<FastifyReply> {
  const bare = bareOf(parts, request);
  const words = loginWords[bare.language];
  const { next, email = "", problem, said, status = 200 } = shown;
  const site = passkeySiteOf(parts.settings.publicUrl);
  return sendBare(parts, request, reply, bare, {
    title: words.title,
    content: (
      <LoginView
        bare={bare}
        words={words}
        problem={problem}
        site={site}
        email={email}
        next={next}
        said={said}
      />
    ),
    status,
    isProblem: problem !== undefined,
    path: "/console/login",
    mayAsk: site !== undefined,
  });
}

/** The page after the password, for whoever has a second factor. */
export async function showCode(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, session }: AnySession,
  next: string | undefined,
  problem?: string,
  status = 200,
): Promise<FastifyReply> {
  const bare = bareOf(parts, request);
  const words = loginWords[bare.language];
  const site = await siteOfPasskeys(parts, session.person.id);
  return sendBare(parts, request, reply, bare, {
    title: words.codeTitle,
    content: (
      <CodeView
        bare={bare}
        words={words}
        problem={problem}
        site={site}
        formToken={formTokenOf(token)}
        next={next}
      />
    ),
    status,
    isProblem: problem !== undefined,
    path: "/console/login/code",
    mayAsk: site !== undefined,
  });
}

/** Whoever has given the password, and maybe more. */
export async function findHalf(
  { database, settings }: ConsoleParts,
  request: FastifyRequest,
): Promise<AnySession | undefined> {
  const token = readSessionToken(settings, request);
  const session = token === undefined ? undefined : await findSession(database, token);
  return token === undefined || session === undefined ? undefined : { token, session };
}

export function nextOf(text: unknown): string | undefined {
  return typeof text === "string" ? readLocalPath(text) : undefined;
}
