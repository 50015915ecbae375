import type { FastifyReply } from "fastify";
import { confirmRequest, refuseRequest, withdrawRequest } from "../../access/decide-requests.ts";
import { type AccessRequest, requestIdPrefix, subjectOf } from "../../access/request.ts";
import { getRequest, peopleOf } from "../../access/requests.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { introducersOf } from "../../staff/introducers.ts";
import { emailsOf, membersOf } from "../../staff/people.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import { Facts } from "../views/table.tsx";
import { accessWords } from "../words/access.ts";
import { confirmCommand, describeRequest } from "./describe-request.ts";
import { requestsPath, teamPath } from "./paths.ts";

const owners = { may: "team.manage" } as const;

/** What one owner has asked for, and the word of a second one. */
export function requestScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, `${requestsPath}/:id`, owners, (context) => showRequest(parts, context));

  for (const [name, decide, said, proof] of [
    ["confirm", confirmRequest, "confirmed", "fresh"],
    ["refuse", refuseRequest, "refused", "none"],
    ["withdraw", withdrawRequest, "withdrawn", "none"],
  ] as const)
    action(app, parts, `${requestsPath}/:id/${name}`, { ...owners, proof }, async (context) => {
      const { company, by, language } = context;
      const request = await requestOf(parts, context);
      return attempt(context, pathOf(request), async () => {
        await decide(database, { requestId: request.id, companyId: company.id }, by);
        return context.seeOther(teamPath, { kind: "good", text: accessWords[language][said] });
      });
    });
}

async function showRequest(parts: ConsoleParts, context: ScreenContext): Promise<FastifyReply> {
  const { company, words: frame, language } = context;
  const words = accessWords[language];
  const request = await requestOf(parts, context);
  const emails = await emailsOf(parts.database, peopleOf([request]));
  const title = describeRequest(words, frame, emails, request);
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  const id = toPublicId(requestIdPrefix, request.id);
  return context.send({
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p>{words.lead}</p>
        <section class="card">
          <Facts
            facts={[
              [words.by, emails.get(request.requestedBy) ?? words.somebody],
              [words.at, moment(request.createdAt)],
              [words.until, moment(request.expiresAt)],
              [words.state, words.states[request.state]],
              [words.id, <code key="id">{id}</code>],
            ]}
          />
        </section>
        {request.state === "open" && (await decisionOf(parts, context, request, emails))}
        <p>
          <a href={context.href(teamPath)}>{words.back}</a>
        </p>
      </>
    ),
  });
}

/** The forms for whoever may decide, and why there are none for anybody else. */
async function decisionOf(
  { database }: ConsoleParts,
  context: ScreenContext,
  request: AccessRequest,
  emails: ReadonlyMap<string, string>,
) {
  const { person, company, language } = context;
  const words = accessWords[language];
  const path = pathOf(request);
  const parties = [request.requestedBy, subjectOf(request)];
  const isAsker = request.requestedBy === person.id;
  const introducers = await introducersOf(database, company.id, person.id);
  const introducer = parties.find((id) => id !== undefined && introducers.includes(id));
  const members = await membersOf(database, company.id);
  const isOnlyOwner = members.filter(({ role }) => role === "owner").length < 2;
  const why = parties.includes(person.id)
    ? words.own
    : introducer === undefined
      ? undefined
      : words.ofIntroducer(emails.get(introducer) ?? words.somebody);
  return (
    <>
      {why !== undefined && <Notice kind="warn" text={why} />}
      {isOnlyOwner && (
        <>
          <p>{words.onlyOwner}</p>
          <p class="secret">{confirmCommand(toPublicId(requestIdPrefix, request.id))}</p>
        </>
      )}
      {why === undefined && (
        <section class="card">
          <p>{words.check}</p>
          <Form context={context} path={`${path}/confirm`} submit={words.confirm} />
        </section>
      )}
      {isAsker ? (
        <Form context={context} path={`${path}/withdraw`} submit={words.withdraw} kind="second" />
      ) : (
        <Form context={context} path={`${path}/refuse`} submit={words.refuse} kind="danger" />
      )}
    </>
  );
}

function pathOf({ id }: AccessRequest): string {
  return `${requestsPath}/${toPublicId(requestIdPrefix, id)}`;
}

function requestOf(
  { database }: ConsoleParts,
  { params, company }: ScreenContext | ActionContext,
): Promise<AccessRequest> {
  return getRequest(database, parsePublicId(requestIdPrefix, params["id"] ?? ""), company.id);
}
