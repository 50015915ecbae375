import type { FastifyReply, FastifyRequest } from "fastify";
import { findCompany } from "../../companies/find-company.ts";
import type { App } from "../../http/server.ts";
import { isForeign } from "../../pages/foreign-requests.ts";
import { formatMoment, formatWait } from "../../pages/format.ts";
import { redirect } from "../../pages/send-page.ts";
import { acceptLink, findLink, type Link } from "../../staff/links.ts";
import { hashPassword, passwordProblemOf } from "../../staff/passwords.ts";
import { checkOwnPassword, findPersonByEmail } from "../../staff/people.ts";
import { countPasswordTry } from "../../staff/tries.ts";
import { bareOf, sendBare, sendProblem } from "../bare.tsx";
import type { Bare } from "../context.ts";
import { keepDevice, keepSessionToken } from "../cookies.ts";
import type { ConsoleParts } from "../parts.ts";
import { Field, Problems } from "../views/field.tsx";
import { type LoginWords, loginWords } from "../words/login.ts";
import { browserOf, formOf } from "./browser-of.ts";
import { NewPasswordFields } from "./login-views.tsx";

const hidden = { schema: { hide: true }, bodyLimit: 4_096 };

/** The page behind a link: it knows its token and nobody else. */
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
    const form = formOf(request);
    const { words: frame, language } = bareOf(parts, request);
    const words = loginWords[language];
    const password = form.get("password") ?? "";
    const person = await findPersonByEmail(database, link.email);
    let stretched: string | undefined;
    if (person?.hasPassword === true) {
      const wait = await countPasswordTry(database, link.email);
      if (wait !== undefined) {
        reply.header("retry-after", wait);
        return show(request, reply, link, words.wait(formatWait(frame, wait)), 429);
      }
      if (!(await checkOwnPassword(database, person.id, password)))
        return show(request, reply, link, words.problems.wrong, 422);
    } else {
      const problem =
        passwordProblemOf(password, link.email) ??
        (password === form.get("repeat") ? undefined : "different");
      if (problem !== undefined) return show(request, reply, link, words.problems[problem], 422);
      stretched = await hashPassword(password);
    }
    const browser = browserOf(parts, request, keepDevice(settings, request, reply));
    const joined = await acceptLink(database, clock(), tokenOf(request), stretched, browser);
    if (joined === undefined) return showGone(request, reply);
    keepSessionToken(settings, reply, joined.token);
    return redirect(reply, bareOf(parts, request).href("/console"));
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    link: Link,
    problem?: string,
    status = 200,
  ): Promise<FastifyReply> {
    const bare = bareOf(parts, request);
    const words = loginWords[bare.language];
    const [company, person] = await Promise.all([
      link.companyId === null ? undefined : findCompany(database, link.companyId),
      findPersonByEmail(database, link.email),
    ]);
    const title = titleOf(words, link, company?.name);
    const until = formatMoment(bare.words, settings.country.timeZone, link.expiresAt);
    const path = `/console/join/${tokenOf(request)}`;
    return sendBare(parts, request, reply, bare, {
      title,
      content: (
        <JoinView
          bare={bare}
          words={words}
          title={title}
          link={link}
          until={until}
          path={path}
          problem={problem}
          hasPassword={person?.hasPassword === true}
        />
      ),
      status,
      isProblem: problem !== undefined,
      path,
    });
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

function JoinView({
  bare,
  words,
  title,
  link,
  until,
  path,
  problem,
  hasPassword,
}: {
  readonly bare: Bare;
  readonly words: LoginWords;
  readonly title: string;
  readonly link: Link;
  readonly until: string;
  readonly path: string;
  readonly problem: string | undefined;
  readonly hasPassword: boolean;
}) {
  return (
    <>
      <h1>{title}</h1>
      {problem !== undefined && (
        <Problems title={bare.words.problem} problems={[{ field: "password", text: problem }]} />
      )}
      <p>
        <strong>{link.email}</strong>
      </p>
      {link.role !== null && <p>{words.joinAs(bare.words.roles[link.role])}</p>}
      <p class="soft">{words.linkUntil(until)}</p>
      <form method="post" action={bare.href(path, { lang: bare.language })}>
        {/* So that the browser keeps the password with the address it belongs to. */}
        <input
          class="unseen"
          type="email"
          autocomplete="username"
          value={link.email}
          readonly
          tabindex={-1}
          aria-hidden="true"
        />
        {hasPassword ? (
          <>
            <p>{words.joinHave}</p>
            <Field id="password" label={words.password}>
              {(described) => (
                <input
                  {...described}
                  type="password"
                  autocomplete="current-password"
                  maxlength={400}
                  required
                />
              )}
            </Field>
          </>
        ) : (
          <NewPasswordFields words={words} problem={undefined} />
        )}
        <button>{words.joinSubmit}</button>
      </form>
    </>
  );
}

function titleOf(words: LoginWords, link: Link, company: string | undefined): string {
  if (link.purpose === "reset") return words.resetTitle;
  return company === undefined ? words.joinOperators : words.joinTitle(company);
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { readonly token?: string }).token ?? "";
}
