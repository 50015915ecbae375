import type { FastifyReply } from "fastify";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formatShortMoment, formatWait } from "../../pages/format.ts";
import { countPasswordTry } from "../../staff/login.ts";
import { changePassword, endOtherSessions, endOwnSession } from "../../staff/members.ts";
import { passwordProblemOf } from "../../staff/passwords.ts";
import { checkOwnPassword } from "../../staff/people.ts";
import { type ListedSession, listSessions } from "../../staff/sessions.ts";
import type { ScreenContext } from "../context.ts";
import { NewPasswordFields } from "../login/login-views.tsx";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Table } from "../views/table.tsx";
import { loginWords } from "../words/login.ts";
import { type TeamWords, teamWords } from "../words/team.ts";
import { nameDevice } from "./name-device.ts";

const path = "/console/team/account";

/** A person's own sessions, password and second factor. */
export function accountScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, path, { may: "anyone" }, (context) => show(parts, context));

  action(app, parts, `${path}/end`, { may: "anyone" }, async (context) => {
    const { form, person, by, language, session } = context;
    const sessionId = parseUuid(form.get("session") ?? "");
    if (sessionId === undefined) throw new RouteNotFound();
    if (!(await endOwnSession(database, person, sessionId, by))) throw new RouteNotFound();
    if (sessionId === session.id) return context.seeOther("/console/login?left=1");
    return context.seeOther(path, { kind: "good", text: teamWords[language].ended });
  });

  action(app, parts, `${path}/end-others`, { may: "anyone" }, async (context) => {
    const { person, by, language, sessionToken } = context;
    await endOtherSessions(database, person, sessionToken, by);
    return context.seeOther(path, { kind: "good", text: teamWords[language].othersEnded });
  });

  action(app, parts, `${path}/password`, { may: "anyone" }, async (context) => {
    const { form, person, by, language, sessionToken } = context;
    const login = loginWords[language];
    const wait = await countPasswordTry(database, person.email);
    if (wait !== undefined)
      return show(parts, context, "current", login.wait(formatWait(context.words, wait)), 429);
    if (!(await checkOwnPassword(database, person.id, form.get("current") ?? "")))
      return show(parts, context, "current", login.problems.wrong);
    const password = form.get("password") ?? "";
    const problem =
      passwordProblemOf(password, person.email) ??
      (password === form.get("repeat") ? undefined : "different");
    if (problem !== undefined) return show(parts, context, "password", login.problems[problem]);
    await changePassword(database, person, password, sessionToken, by);
    return context.seeOther(path, { kind: "good", text: teamWords[language].passwordChanged });
  });
}

async function show(
  { database }: ConsoleParts,
  context: ScreenContext,
  field?: "current" | "password",
  problem?: string,
  status = 422,
): Promise<FastifyReply> {
  const { language, words: frame, person, href } = context;
  const words = teamWords[language];
  const sessions = await listSessions(database, person.id);
  return context.send({
    title: words.own,
    content: (
      <>
        <h1>{words.own}</h1>
        {problem !== undefined && (
          <Problems title={frame.problem} problems={[{ field, text: problem }]} />
        )}
        <p>{person.email}</p>
        <Sessions context={context} words={words} sessions={sessions} />
        {sessions.length > 1 && (
          <Form
            context={context}
            path={`${path}/end-others`}
            submit={words.endOthers}
            kind="danger"
          />
        )}
        <section class="card" aria-labelledby="factor">
          <h2 id="factor">{words.factor}</h2>
          <p>{words.factorWhat}</p>
          <p>
            <a class="button second" href={href("/console/second-factor")}>
              {person.hasSecondFactor ? words.factorChange : words.factorSet}
            </a>
          </p>
        </section>
        <section class="card" aria-labelledby="own-password">
          <h2 id="own-password">{words.password}</h2>
          <Form context={context} path={`${path}/password`} submit={words.passwordSubmit}>
            <Field
              id="current"
              label={words.current}
              problem={field === "current" ? problem : undefined}
            >
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
            <NewPasswordFields
              words={loginWords[language]}
              problem={field === "password" ? problem : undefined}
            />
          </Form>
        </section>
      </>
    ),
    ...(problem === undefined ? {} : { status, isProblem: true }),
  });
}

function Sessions({
  context,
  words,
  sessions,
}: {
  readonly context: ScreenContext;
  readonly words: TeamWords;
  readonly sessions: readonly ListedSession[];
}) {
  const { words: frame, company, session } = context;
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  return (
    <Table
      caption={words.sessions}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "device",
          title: words.device,
          isHead: true,
          cell: ({ device }) => nameDevice(device),
        },
        { key: "address", title: words.address, cell: ({ address }) => address },
        { key: "opened", title: words.opened, cell: ({ createdAt }) => moment(createdAt) },
        { key: "seen", title: words.seen, cell: ({ seenAt }) => moment(seenAt) },
        {
          key: "actions",
          title: words.actions,
          cell: ({ id }) =>
            id === session.id ? (
              words.thisSession
            ) : (
              <Form
                context={context}
                path={`${path}/end`}
                fields={{ session: id }}
                submit={words.end}
                kind="quiet"
              />
            ),
        },
      ]}
    />
  );
}
