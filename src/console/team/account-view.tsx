import type { FastifyReply } from "fastify";
import { formatShortMoment } from "../../pages/format.ts";
import { passkeySiteOf } from "../../staff/passkey-site.ts";
import { listPasskeys } from "../../staff/passkeys.ts";
import { type ListedSession, listSessions } from "../../staff/sessions.ts";
import type { ScreenContext } from "../context.ts";
import { NewPasswordFields } from "../login/login-views.tsx";
import type { ConsoleParts } from "../parts.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Table } from "../views/table.tsx";
import { loginWords } from "../words/login.ts";
import { passkeyWords } from "../words/passkeys.ts";
import { type TeamWords, teamWords } from "../words/team.ts";
import type { AccountProblem } from "./account-problem.ts";
import { nameDevice } from "./name-device.ts";
import { Passkeys } from "./passkeys-view.tsx";
import { accountPath } from "./paths.ts";

/** The page of a person's own sessions, second factor, passkeys and password. */
export async function showAccount(
  { database, settings }: ConsoleParts,
  context: ScreenContext,
  problem?: AccountProblem,
): Promise<FastifyReply> {
  const { language, words: frame, person, href } = context;
  const words = teamWords[language];
  const [sessions, passkeys] = await Promise.all([
    listSessions(database, person.id),
    listPasskeys(database, person.id),
  ]);
  const problemOf = (field: AccountProblem["field"]) =>
    problem?.field === field ? problem.text : undefined;
  return context.send({
    title: words.own,
    content: (
      <>
        <h1>{words.own}</h1>
        {problem !== undefined && <Problems title={frame.problem} problems={[problem]} />}
        <p>{person.email}</p>
        <Sessions context={context} words={words} sessions={sessions} />
        {sessions.length > 1 && (
          <Form
            context={context}
            path={`${accountPath}/end-others`}
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
        <Passkeys
          context={context}
          words={passkeyWords[language]}
          passkeys={passkeys}
          site={passkeySiteOf(settings.publicUrl)}
          problemOf={problemOf}
        />
        <section class="card" aria-labelledby="own-password">
          <h2 id="own-password">{words.password}</h2>
          <Form context={context} path={`${accountPath}/password`} submit={words.passwordSubmit}>
            <Field id="current" label={words.current} problem={problemOf("current")}>
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
            <NewPasswordFields words={loginWords[language]} problem={problemOf("password")} />
          </Form>
        </section>
      </>
    ),
    ...(problem === undefined ? {} : { status: problem.status ?? 422, isProblem: true }),
    mayAsk: true,
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
                path={`${accountPath}/end`}
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
