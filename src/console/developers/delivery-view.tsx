import { formatShortMoment } from "../../pages/format.ts";
import type { LoggedDelivery } from "../../webhooks/deliveries.ts";
import type { Webhook } from "../../webhooks/webhook.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Form } from "../views/form.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import { waitingWords } from "../words/waiting.ts";
import type { WebhookWords } from "../words/webhooks.ts";
import { deliveryTones } from "./deliveries-view.tsx";
import { Tabs } from "./tabs.tsx";
import { deliveriesPath, deliveryPath, webhookPath } from "./webhook-paths.ts";

/** One delivery: what was sent, each attempt and what was answered to it. */
export function DeliveryView({
  context,
  words,
  webhook,
  delivery,
  sent,
}: {
  readonly context: ScreenContext;
  readonly words: WebhookWords;
  readonly webhook: Webhook;
  readonly delivery: LoggedDelivery;
  readonly sent: { readonly messageId: string; readonly payload: string } | undefined;
}) {
  const { words: frame, company, href, language } = context;
  const waiting = waitingWords[language];
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  const { status, eventNumber, nextAttemptAt, waitingFor, createdAt, log } = delivery;
  const isOver = status !== "pending" && status !== "blocked";
  const [what, send] = isOver
    ? [words.resendWhat, words.resend]
    : [waiting.tryNowWhat, waiting.tryNow];
  return (
    <>
      <Tabs context={context} />
      <div class="head">
        <h1>{words.delivery(String(eventNumber))}</h1>
        <Status tone={deliveryTones[status]} word={words.statuses[status]} />
      </div>
      <section class="card">
        <Facts
          facts={[
            [
              words.url,
              <a key="url" class="anywhere" href={href(webhookPath(webhook.id))}>
                {webhook.url}
              </a>,
            ],
            [
              words.topic,
              <span key="topic" class="code">
                {webhook.topic}
              </span>,
            ],
            [words.when, moment(createdAt)],
            ...(nextAttemptAt === null ? [] : ([[words.next, moment(nextAttemptAt)]] as const)),
            ...(waitingFor === null
              ? []
              : ([[waiting.waitsFor, waiting.waitsForWhat[waitingFor]]] as const)),
            ...(sent === undefined
              ? []
              : ([
                  [
                    words.messageId,
                    <span key="id" class="code anywhere">
                      {sent.messageId}
                    </span>,
                  ],
                ] as const)),
          ]}
        />
        {status !== "blocked" && webhook.disabledAt === null && (
          <>
            <p class="soft">{what}</p>
            <Form
              context={context}
              path={`${deliveryPath(webhook.id, eventNumber)}/resend`}
              submit={send}
            />
          </>
        )}
      </section>
      {log.length === 0 ? (
        <EmptyState {...words.noAttempts} />
      ) : (
        <Table
          caption={words.attempts}
          rows={log}
          keyOf={({ attempt, startedAt }) => `${attempt} ${startedAt.getTime()}`}
          columns={[
            {
              key: "attempt",
              title: words.attempt,
              isHead: true,
              cell: ({ attempt }) => attempt,
            },
            {
              key: "at",
              title: words.startedAt,
              cell: ({ startedAt }) => <span class="code moment">{startedAt.toISOString()}</span>,
            },
            {
              key: "code",
              title: words.code,
              isNumber: true,
              cell: ({ statusCode }) => statusCode ?? "",
            },
            {
              key: "ms",
              title: words.ms,
              isNumber: true,
              cell: ({ durationMs }) => durationMs,
            },
            {
              key: "said",
              title: words.said,
              cell: ({ error, response }) => (
                <span class="anywhere long code">{error ?? response ?? ""}</span>
              ),
            },
          ]}
        />
      )}
      <section class="card" aria-labelledby="payload">
        <h2 id="payload">{words.payload}</h2>
        {sent === undefined ? (
          <p>{words.payloadGone}</p>
        ) : (
          <>
            <p class="soft">{words.payloadWhat}</p>
            <pre tabindex={0}>{sent.payload}</pre>
          </>
        )}
      </section>
      <p class="row">
        <a href={href(deliveriesPath, { webhook: webhook.id })}>{words.seeLog}</a>
      </p>
    </>
  );
}
