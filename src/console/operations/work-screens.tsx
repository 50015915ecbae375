import type { FastifyReply } from "fastify";
import { type Company, companyIdPrefix } from "../../companies/company.ts";
import { findCompany } from "../../companies/find-company.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, toPublicId } from "../../kernel/ids.ts";
import {
  findStuckWork,
  type StuckWork,
  wakeableQueues,
  wakeWork,
} from "../../operations/stuck-work.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { ConsoleParts } from "../parts.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import { namesOf } from "./names-of.ts";
import { type OperatorContext, operatorAction, operatorScreen } from "./operator-screen.ts";
import { ReasonField, readReason } from "./reason.tsx";

const path = "/console/operations/stuck";

export function workScreens(app: App, parts: ConsoleParts): void {
  const { database, clock } = parts;

  operatorScreen(app, parts, path, async (context) => {
    const words = context.shared.work;
    const work = await findStuckWork(database, clock());
    const names = await namesOf(database, work);
    return context.send({
      title: words.title,
      content: (
        <>
          <h1>{words.title}</h1>
          <p class="soft">{words.what}</p>
          {work.length === 0 ? (
            <EmptyState {...words.empty} />
          ) : (
            <Works context={context} work={work} names={names} />
          )}
        </>
      ),
    });
  });

  operatorScreen(app, parts, `${path}/wake`, async (context) =>
    ask(context, await readAsked(parts, context.query)),
  );

  operatorAction(app, parts, `${path}/wake`, async (context) => {
    const asked = await readAsked(parts, context.form);
    const reason = readReason(context.form);
    if (reason === undefined) return ask(context, asked, context.shared.reasonProblem);
    const { company, queue } = asked;
    await wakeWork(parts, { companyId: company.id, queue, reason }, context.by);
    return context.seeOther(path, { kind: "good", text: context.shared.work.done });
  });
}

interface Asked {
  readonly company: Company;
  readonly queue: string;
}

async function readAsked({ database }: ConsoleParts, from: URLSearchParams): Promise<Asked> {
  const id = parsePublicId(companyIdPrefix, from.get("company") ?? "");
  const company = id === undefined ? undefined : await findCompany(database, id);
  const queue = wakeableQueues.find((name) => name === from.get("queue"));
  if (company === undefined || queue === undefined) throw new RouteNotFound();
  return { company, queue };
}

function ask(
  context: OperatorContext,
  { company, queue }: Asked,
  problem?: string,
): Promise<FastifyReply> {
  const { words: frame, shared, href } = context;
  const title = shared.work.wakeTitle(shared.health.names[queue] ?? queue, company.name);
  return context.send({
    title,
    content: (
      <>
        <h1>{title}</h1>
        {problem !== undefined && (
          <Problems title={frame.problem} problems={[{ field: "reason", text: problem }]} />
        )}
        <p>{shared.work.wakeWhat}</p>
        <section class="card">
          <Form
            context={context}
            path={`${path}/wake`}
            fields={{ company: toPublicId(companyIdPrefix, company.id), queue }}
            submit={shared.work.submit}
          >
            <ReasonField words={shared} problem={problem} />
          </Form>
        </section>
        <p>
          <a href={href(path)}>{shared.back}</a>
        </p>
      </>
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

function Works({
  context: { shared, words: frame, href, timeZone },
  work,
  names,
}: {
  readonly context: OperatorContext;
  readonly work: readonly StuckWork[];
  readonly names: ReadonlyMap<string, string>;
}) {
  const words = shared.work;
  const idOf = ({ companyId }: StuckWork) => toPublicId(companyIdPrefix, companyId);
  const queueOf = ({ queue }: StuckWork) => shared.health.names[queue] ?? queue;
  return (
    <Table
      caption={words.title}
      isCaptionHidden
      rows={work}
      keyOf={({ companyId, queue }) => `${companyId} ${queue}`}
      columns={[
        { key: "queue", title: shared.health.queue, isHead: true, cell: queueOf },
        {
          key: "company",
          title: shared.company,
          cell: (one) => (
            <a href={href(`/console/operations/companies/${idOf(one)}`)}>
              {names.get(one.companyId)}
            </a>
          ),
        },
        {
          key: "since",
          title: shared.since,
          cell: ({ since }) => (
            <span class="moment">{formatShortMoment(frame, timeZone, since)}</span>
          ),
        },
        {
          key: "money",
          title: words.inFlight,
          isNumber: true,
          cell: ({ inFlight }) =>
            inFlight === undefined ? "" : <Money words={frame} francs={inFlight} />,
        },
        {
          key: "taken",
          title: words.state,
          cell: ({ isTaken }) => (
            <Status tone={isTaken ? "wait" : "bad"} word={isTaken ? words.taken : words.untaken} />
          ),
        },
        {
          key: "wake",
          title: words.action,
          cell: (one) => (
            <a
              href={href(`${path}/wake`, { company: idOf(one), queue: one.queue })}
              aria-label={words.wakeTitle(queueOf(one), names.get(one.companyId) ?? "")}
            >
              {words.wake}
            </a>
          ),
        },
      ]}
    />
  );
}
