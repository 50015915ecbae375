import { formatShortMoment } from "../../pages/format.ts";
import { topics } from "../../webhooks/event.ts";
import type { LoggedLine, LogPage } from "../../webhooks/find-deliveries.ts";
import { type DeliveryStatus, deliveryStatuses, type Webhook } from "../../webhooks/webhook.ts";
import type { ScreenContext } from "../context.ts";
import { Choice } from "../views/choice.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Pager } from "../views/pager.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { WebhookWords } from "../words/webhooks.ts";
import type { AskedLog } from "./read-log-filter.ts";
import { Tabs } from "./tabs.tsx";
import { deliveriesPath, deliveryPath } from "./webhook-paths.ts";

export const deliveryTones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: "wait",
  blocked: "wait",
  delivered: "good",
  failed: "bad",
  superseded: "idle",
  cancelled: "idle",
};

interface LogProps {
  readonly context: ScreenContext;
  readonly words: WebhookWords;
  readonly webhooks: readonly Webhook[];
  readonly filter: AskedLog;
}

export function DeliveriesView({
  context,
  words,
  webhooks,
  filter,
  isWrong,
  page,
}: LogProps & { readonly isWrong: boolean; readonly page: LogPage }) {
  const { words: frame, href } = context;
  const { before, ...kept } = filter;
  const to = (more: Record<string, string>) => href(deliveriesPath, { ...given(kept), ...more });
  return (
    <>
      <Tabs context={context} />
      <h1>{words.log}</h1>
      <p class="soft">{words.logWhat}</p>
      {isWrong && (
        <Problems title={frame.problem} problems={[{ field: "from", text: words.filterProblem }]} />
      )}
      <Filters context={context} words={words} webhooks={webhooks} filter={filter} />
      {page.lines.length === 0 ? (
        <EmptyState {...words.logEmpty} />
      ) : (
        <Lines context={context} words={words} webhooks={webhooks} lines={page.lines} />
      )}
      <Pager
        words={frame}
        newer={before === undefined ? undefined : to({})}
        older={page.older === undefined ? undefined : to({ before: String(page.older) })}
      />
    </>
  );
}

function Filters({ context: { href }, words, webhooks, filter }: LogProps) {
  return (
    <form class="filters" method="get" action={href(deliveriesPath)}>
      <Choice
        id="status"
        label={words.status}
        any={words.all}
        choices={deliveryStatuses.map((one) => [one, words.statuses[one]])}
        chosen={filter.status}
      />
      <Choice
        id="topic"
        label={words.topic}
        any={words.all}
        choices={topics.map((one) => [one, one])}
        chosen={filter.topic}
      />
      <Choice
        id="webhook"
        label={words.webhook}
        any={words.all}
        choices={webhooks.map(({ id, url, topic }) => [id, `${topic} → ${url}`])}
        chosen={filter.webhook}
      />
      <Field id="from" label={words.from}>
        {(described) => <input {...described} type="date" value={filter.from} />}
      </Field>
      <Field id="to" label={words.to}>
        {(described) => <input {...described} type="date" value={filter.to} />}
      </Field>
      <button class="second">{words.filter}</button>
    </form>
  );
}

function Lines({
  context: { words: frame, company, href },
  words,
  webhooks,
  lines,
}: Omit<LogProps, "filter"> & { readonly lines: readonly LoggedLine[] }) {
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  const webhookOf = ({ webhookId }: LoggedLine) => webhooks.find(({ id }) => id === webhookId);
  return (
    <Table
      caption={words.log}
      isCaptionHidden
      rows={lines}
      keyOf={({ webhookId, eventNumber }) => `${webhookId} ${eventNumber}`}
      columns={[
        {
          key: "when",
          title: words.when,
          isHead: true,
          cell: ({ webhookId, eventNumber, createdAt }) => (
            <a class="moment" href={href(deliveryPath(webhookId, eventNumber))}>
              {moment(createdAt)}
            </a>
          ),
        },
        {
          key: "topic",
          title: words.topic,
          cell: (line) => <span class="code">{webhookOf(line)?.topic}</span>,
        },
        {
          key: "url",
          title: words.url,
          cell: (line) => <span class="anywhere">{webhookOf(line)?.url}</span>,
        },
        {
          key: "status",
          title: words.status,
          cell: ({ status }) => (
            <Status tone={deliveryTones[status]} word={words.statuses[status]} />
          ),
        },
        {
          key: "attempts",
          title: words.attempts,
          isNumber: true,
          cell: ({ attempts }) => attempts,
        },
        {
          key: "answer",
          title: words.answer,
          cell: ({ toldCode, toldMs, status, nextAttemptAt }) => {
            if (toldCode !== null) return words.answered(toldCode, toldMs ?? 0);
            return status === "pending" && nextAttemptAt !== null
              ? `${words.next} ${moment(nextAttemptAt)}`
              : "";
          },
        },
      ]}
    />
  );
}

/** What the addresses of the other pages repeat. */
function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
