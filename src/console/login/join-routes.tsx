import type { FastifyReply, FastifyRequest } from "fastify";
import { type Accepted, acceptLink } from "../../access/accept-link.ts";
import { findLink, type Link } from "../../access/links.ts";
import { findCompany } from "../../companies/find-company.ts";
import type { App } from "../../http/server.ts";
import { isForeign } from "../../pages/foreign-requests.ts";
import { formatMoment, formatWait } from "../../pages/format.ts";
import { redirect } from "../../pages/send-page.ts";
import { hashPassword, passwordProblemOf } from "../../staff/passwords.ts";
import { endSession, findSession, formTokenOf, isFormToken } from "../../staff/sessions.ts";
import { signInByLink } from "../../staff/sign-in-by-link.ts";
import { countLinkTry } from "../../staff/tries.ts";
import { bareOf, sendBare, sendProblem } from "../bare.tsx";
import { keepDevice, keepSessionToken, readSessionToken } from "../cookies.ts";
import type { ConsoleParts } from "../parts.ts";
import { type LoginWords, loginWords } from "../words/login.ts";
import { browserOf, formOf, hungUpOf } from "./browser-of.ts";
import { JoinView } from "./join-view.tsx";
import { noteSignIn } from "./note-sign-in.ts";

const hidden = { schema: { hide: true }, bodyLimit: 4_096, config: { proof: "own" } } as const;

interface Problem {
  readonly field: string;
  readonly text: string;
  readonly status: number;
}

/** The page behind a link: it knows its token, and whether somebody is signed in with its address. */
export function joinRoutes(app: App, parts: ConsoleParts): void {
  const { database, settings, clock } = parts;

  app.get("/console/join/:token", hidden, async (request, reply) => {
    const link = await findLink(database, tokenOf(request));
    return link === undefined ? showGone(request, reply) : show(request, reply, link);
  });

  app.post("/console/join/:token", hidden, async (request, reply) => {
    if (isForeign(request, settings.publicUrl))
      return sendProblem(parts, request, reply, "foreign", 403);
    const link = await findLink(database, tokenOf(request));
    if (link === undefined) return showGone(request, reply);
    const { words: frame, language } = bareOf(parts, request);
    const words = loginWords[language];
    const wait = await countLinkTry(database, link);
    if (wait !== undefined) {
      reply.header("retry-after", wait);
      const text = words.wait(formatWait(frame, wait));
      return show(request, reply, link, { field: "password", text, status: 429 });
    }
    const as = formOf(request).get("as");
    if (as === "session") return acceptSignedIn(request, reply, link);
    return as === "account"
      ? acceptByPassword(request, reply, link)
      : acceptAsNew(request, reply, link);
  });

  async function acceptSignedIn(request: FastifyRequest, reply: FastifyReply, link: Link) {
    const sessionToken = readSessionToken(settings, request);
    if (
      sessionToken === undefined ||
      !isFormToken(sessionToken, formOf(request).get("token") ?? "")
    )
      return sendProblem(parts, request, reply, "stale", 403);
    const visitor = { kind: "signedIn", sessionToken } as const;
    const accepted = await acceptLink(
      database,
      clock(),
      tokenOf(request),
      visitor,
      browserOf(parts, request),
    );
    return accepted === undefined ? refuse(request, reply, link) : enter(request, reply, accepted);
  }

  /** With the password of an account that there is. A second factor is asked for first, and the page comes again. */
  async function acceptByPassword(request: FastifyRequest, reply: FastifyReply, link: Link) {
    const secret = keepDevice(settings, request, reply);
    const browser = { ...browserOf(parts, request, secret), hungUp: hungUpOf(reply) };
    const typed = { email: link.email, password: formOf(request).get("current") ?? "" };
    const lane = laneOf(link);
    if (link.purpose === "reset") return refuse(request, reply, link);
    const signedIn = await signInByLink(database, clock(), typed, browser, lane);
    if (signedIn.kind !== "session") {
      await refuse(request, reply, link);
      // Whether somebody exists must not show in how long the answer takes.
      await noteSignIn(parts, request, "password", signedIn);
      return reply;
    }
    await noteSignIn(parts, request, "password", signedIn);
    if (!signedIn.isOpen) {
      keepSessionToken(settings, reply, signedIn.token);
      const next = `/console/join/${tokenOf(request)}`;
      return redirect(reply, bareOf(parts, request).href("/console/login/code", { next }));
    }
    const visitor = { kind: "signedIn", sessionToken: signedIn.token } as const;
    const accepted = await acceptLink(database, clock(), tokenOf(request), visitor, browser);
    if (accepted !== undefined) return enter(request, reply, accepted);
    await endSession(database, signedIn.token);
    return refuse(request, reply, link);
  }

  async function acceptAsNew(request: FastifyRequest, reply: FastifyReply, link: Link) {
    const form = formOf(request);
    const words = loginWords[bareOf(parts, request).language];
    const password = form.get("password") ?? "";
    const problem =
      passwordProblemOf(password, link.email) ??
      (password === form.get("repeat") ? undefined : "different");
    if (problem !== undefined)
      return show(request, reply, link, {
        field: "password",
        text: words.problems[problem],
        status: 422,
      });
    const stretched = await hashPassword(password, laneOf(link));
    const browser = browserOf(parts, request, keepDevice(settings, request, reply));
    const visitor = { kind: "new", password: stretched } as const;
    const accepted = await acceptLink(database, clock(), tokenOf(request), visitor, browser);
    return accepted === undefined ? refuse(request, reply, link) : enter(request, reply, accepted);
  }

  function enter(request: FastifyRequest, reply: FastifyReply, { token, requestId }: Accepted) {
    keepSessionToken(settings, reply, token);
    const { href } = bareOf(parts, request);
    return redirect(reply, href(requestId === undefined ? "/console" : "/console/companies"));
  }

  /** In the same words for every reason: none of them says who has an account. */
  function refuse(request: FastifyRequest, reply: FastifyReply, link: Link) {
    const words = loginWords[bareOf(parts, request).language];
    const text = link.purpose === "reset" ? words.resetRefused : words.joinRefused;
    return show(request, reply, link, { field: "password", text, status: 422 });
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    link: Link,
    problem?: Problem,
  ): Promise<FastifyReply> {
    const bare = bareOf(parts, request);
    const words = loginWords[bare.language];
    const company =
      link.companyId === null ? undefined : await findCompany(database, link.companyId);
    const title = titleOf(words, link, company?.name);
    const path = `/console/join/${tokenOf(request)}`;
    return sendBare(parts, request, reply, bare, {
      title,
      content: (
        <JoinView
          bare={bare}
          words={words}
          title={title}
          link={link}
          until={formatMoment(bare.words, settings.country.timeZone, link.expiresAt)}
          path={path}
          problem={problem}
          formToken={await ownFormToken(request, link)}
        />
      ),
      status: problem?.status ?? 200,
      isProblem: problem !== undefined,
      path,
    });
  }

  /** Of a session that is the invited person's own. */
  async function ownFormToken(request: FastifyRequest, link: Link): Promise<string | undefined> {
    const token = readSessionToken(settings, request);
    const session = token === undefined ? undefined : await findSession(database, token);
    const isOwn = session?.isOpen === true && session.person.email === link.email;
    return token !== undefined && isOwn && link.purpose !== "reset"
      ? formTokenOf(token)
      : undefined;
  }

  function showGone(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const bare = bareOf(parts, request);
    const { title, what } = loginWords[bare.language].linkGone;
    const content = (
      <>
        <h1>{title}</h1>
        <p>{what}</p>
      </>
    );
    return sendBare(parts, request, reply, bare, { title, content, status: 404, isProblem: true });
  }
}

/** Links of one company share a lane: many of them are no more than one. */
function laneOf({ companyId }: Link): string {
  return `links of ${companyId ?? "the operator"}`;
}

function titleOf(words: LoginWords, link: Link, company: string | undefined): string {
  if (link.purpose === "reset") return words.resetTitle;
  return company === undefined ? words.joinOperators : words.joinTitle(company);
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { readonly token?: string }).token ?? "";
}
