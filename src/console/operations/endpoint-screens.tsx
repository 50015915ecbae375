import type { FastifyReply } from "fastify";
import { companyIdPrefix } from "../../companies/company.ts";
import type { App } from "../../http/server.ts";
import { parseUuid, toPublicId } from "../../kernel/ids.ts";
import { enable, replayFailed } from "../../operations/mend-webhook.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { listDeliveries } from "../../webhooks/deliveries.ts";
import { WebhookNotFound } from "../../webhooks/errors.ts";
import { type FailingWebhook, findFailing } from "../../webhooks/find-troubles.ts";
import { getCompanyOfWebhook, getWebhook } from "../../webhooks/manage-webhooks.ts";
import { attempt } from "../attempt.ts";
import type { ConsoleParts } from "../parts.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import { operatorEndpointWords } from "../words/operator-endpoints.ts";
import { EndpointView } from "./endpoint-view.tsx";
import { namesOf } from "./names-of.ts";
import { type OperatorContext, operatorAction, operatorScreen } from "./operator-screen.ts";
import { readReason } from "./reason.tsx";

const path = "/console/operations/endpoints";
const listedMax = 100;
const deliveriesMax = 10;

/** Receivers that fail, of all companies, and what can be done about one. */
export function endpointScreens(app: App, parts: ConsoleParts): void {
  const { database, clock } = parts;

  operatorScreen(app, parts, path, async (context) => {
    const words = operatorEndpointWords[context.language].endpoints;
    const failing = await findFailing(database, listedMax);
    const names = await namesOf(database, failing);
    return context.send({
      title: words.title,
      content: (
        <>
          <h1>{words.title}</h1>
          <p class="soft">{words.what}</p>
          {failing.length === 0 ? (
            <EmptyState {...words.empty} />
          ) : (
            <Endpoints context={context} failing={failing} names={names} />
          )}
        </>
      ),
    });
  });

  operatorScreen(app, parts, `${path}/:id`, (context) => show(parts, context));

  operatorAction(app, parts, `${path}/:id/enable`, async (context) => {
    const words = operatorEndpointWords[context.language].endpoints;
    const webhookId = readId(context);
    const reason = readReason(context.form);
    if (reason === undefined) return show(parts, context, "enable");
    const isNew = await enable(parts, webhookId, context.by, reason);
    const text = isNew ? words.enabled : words.wasEnabled;
    return context.seeOther(`${path}/${webhookId}`, { kind: "good", text });
  });

  operatorAction(app, parts, `${path}/:id/replay`, async (context) => {
    const words = operatorEndpointWords[context.language].endpoints;
    const webhookId = readId(context);
    const reason = readReason(context.form);
    const hours = context.form.get("hours") ?? "";
    if (reason === undefined || !Object.hasOwn(words.periods, hours))
      return show(parts, context, "replay");
    return attempt(context, `${path}/${webhookId}`, async () => {
      const asked = { webhookId, hours: Number(hours), reason };
      const { queued, isCut } = await replayFailed(parts, clock(), asked, context.by);
      const text = `${words.replayed(queued)}${isCut ? ` ${words.more}` : ""}`;
      return context.seeOther(`${path}/${webhookId}`, { kind: "good", text });
    });
  });
}

function readId({ params }: OperatorContext): string {
  const webhookId = parseUuid(params["id"] ?? "");
  if (webhookId === undefined) throw new WebhookNotFound();
  return webhookId;
}

async function show(
  { database }: ConsoleParts,
  context: OperatorContext,
  problem?: "enable" | "replay",
): Promise<FastifyReply> {
  const webhookId = readId(context);
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const webhook = await getWebhook(database, companyId, webhookId);
  const page = { limit: deliveriesMax };
  const { rows } = await listDeliveries(database, companyId, webhookId, page);
  const names = await namesOf(database, [{ companyId }]);
  const company = {
    id: toPublicId(companyIdPrefix, companyId),
    name: names.get(companyId) ?? "",
  };
  return context.send({
    title: operatorEndpointWords[context.language].endpoints.view(webhook.url),
    content: (
      <EndpointView
        context={context}
        webhook={webhook}
        company={company}
        deliveries={rows}
        problem={problem}
      />
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

function Endpoints({
  context,
  failing,
  names,
}: {
  readonly context: OperatorContext;
  readonly failing: readonly FailingWebhook[];
  readonly names: ReadonlyMap<string, string>;
}) {
  const { shared, words: frame, href, timeZone } = context;
  const words = operatorEndpointWords[context.language].endpoints;
  return (
    <Table
      caption={words.title}
      isCaptionHidden
      rows={failing}
      keyOf={({ webhookId }) => webhookId}
      columns={[
        {
          key: "url",
          title: words.url,
          isHead: true,
          cell: ({ webhookId, url }) => (
            <a class="anywhere" href={href(`${path}/${webhookId}`)}>
              {url}
            </a>
          ),
        },
        {
          key: "topic",
          title: words.topic,
          cell: ({ topic }) => <span class="code">{topic}</span>,
        },
        {
          key: "company",
          title: shared.company,
          cell: ({ companyId }) => (
            <a
              href={href(`/console/operations/companies/${toPublicId(companyIdPrefix, companyId)}`)}
            >
              {names.get(companyId)}
            </a>
          ),
        },
        {
          key: "since",
          title: shared.since,
          cell: ({ failingSince }) => (
            <span class="moment">
              {failingSince === null ? "" : formatShortMoment(frame, timeZone, failingSince)}
            </span>
          ),
        },
        {
          key: "failures",
          title: words.failures,
          isNumber: true,
          cell: ({ failures }) => failures,
        },
        {
          key: "state",
          title: words.state,
          cell: ({ disabledReason }) => (
            <Status
              tone={disabledReason === null ? "wait" : "bad"}
              word={disabledReason === null ? words.tried : words.disabled}
            />
          ),
        },
      ]}
    />
  );
}
