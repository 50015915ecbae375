import type { FastifyReply } from "fastify";
import { confirmRequest, refuseRequest } from "../../access/decide-requests.ts";
import { type AccessRequest, requestIdPrefix } from "../../access/request.ts";
import { getRequest, openRequestsOf, peopleOf } from "../../access/requests.ts";
import { companyIdPrefix } from "../../companies/company.ts";
import { findCompany } from "../../companies/find-company.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { emailsOf } from "../../staff/people.ts";
import { attempt } from "../attempt.ts";
import type { ConsoleParts } from "../parts.ts";
import { describeRequest } from "../team/describe-request.ts";
import { RequestTable } from "../team/requests-view.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Facts } from "../views/table.tsx";
import { accessWords } from "../words/access.ts";
import { companiesPath } from "./company-screens.tsx";
import { namesOf } from "./names-of.ts";
import { type OperatorContext, operatorAction, operatorScreen } from "./operator-screen.ts";
import { ReasonField, readReason } from "./reason.tsx";

const path = "/console/operations/requests";

/** What owners of all companies have asked for and the operator may confirm in place of a second owner. */
export function requestScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  operatorScreen(app, parts, path, async (context) => {
    const words = accessWords[context.language];
    const requests = await openRequestsOf(database, undefined);
    return context.send({
      title: words.title,
      content: (
        <>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
          {requests.length === 0 ? (
            <EmptyState title={words.none} text="" />
          ) : (
            <RequestTable
              context={context}
              words={words}
              timeZone={context.timeZone}
              requests={requests}
              emails={await emailsOf(database, peopleOf(requests))}
              companies={await namesOf(database, requests)}
              path={path}
            />
          )}
        </>
      ),
    });
  });

  operatorScreen(app, parts, `${path}/:id`, async (context) =>
    show(parts, context, await requestOf(parts, context)),
  );

  for (const [name, decide, said] of [
    ["confirm", confirmRequest, "confirmed"],
    ["refuse", refuseRequest, "refused"],
  ] as const)
    operatorAction(app, parts, `${path}/:id/${name}`, async (context) => {
      const request = await requestOf(parts, context);
      const reason = readReason(context.form);
      if (reason === undefined) return show(parts, context, request, context.shared.reasonProblem);
      return attempt(context, pathOf(request), async () => {
        const decision = { requestId: request.id, companyId: undefined, reason };
        await decide(database, decision, context.by);
        const text = accessWords[context.language][said];
        return context.seeOther(path, { kind: "good", text });
      });
    });
}

async function show(
  { database }: ConsoleParts,
  context: OperatorContext,
  request: AccessRequest,
  problem?: string,
): Promise<FastifyReply> {
  const { words: frame, language, timeZone, shared } = context;
  const words = accessWords[language];
  const emails = await emailsOf(database, peopleOf([request]));
  const company = await findCompany(database, request.companyId);
  const title = describeRequest(words, frame, emails, request);
  const moment = (at: Date) => formatShortMoment(frame, timeZone, at);
  const companyPath = `${companiesPath}/${toPublicId(companyIdPrefix, request.companyId)}`;
  return context.send({
    title,
    content: (
      <>
        <h1>{title}</h1>
        {problem !== undefined && (
          <Problems title={frame.problem} problems={[{ field: "reason", text: problem }]} />
        )}
        <section class="card">
          <Facts
            facts={[
              [
                words.company,
                <a key="company" href={context.href(companyPath)}>
                  {company?.name ?? ""}
                </a>,
              ],
              [words.by, emails.get(request.requestedBy) ?? words.somebody],
              [words.at, moment(request.createdAt)],
              [words.until, moment(request.expiresAt)],
              [words.state, words.states[request.state]],
              [words.id, <code key="id">{toPublicId(requestIdPrefix, request.id)}</code>],
            ]}
          />
        </section>
        {request.state === "open" && (
          <div class="cards">
            <section class="card" aria-labelledby="confirm">
              <h2 id="confirm">{words.confirm}</h2>
              <p>{words.check}</p>
              <Form context={context} path={`${pathOf(request)}/confirm`} submit={words.confirm}>
                <ReasonField words={shared} problem={problem} />
              </Form>
            </section>
            <section class="card" aria-labelledby="refuse">
              <h2 id="refuse">{words.refuse}</h2>
              <Form
                context={context}
                path={`${pathOf(request)}/refuse`}
                submit={words.refuse}
                kind="danger"
              >
                <ReasonField words={shared} id="refuse-reason" />
              </Form>
            </section>
          </div>
        )}
        <p>
          <a href={context.href(path)}>{words.title}</a>
        </p>
      </>
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

function pathOf({ id }: AccessRequest): string {
  return `${path}/${toPublicId(requestIdPrefix, id)}`;
}

function requestOf(
  { database }: ConsoleParts,
  { params }: Pick<OperatorContext, "params">,
): Promise<AccessRequest> {
  return getRequest(database, parsePublicId(requestIdPrefix, params["id"] ?? ""), undefined);
}
