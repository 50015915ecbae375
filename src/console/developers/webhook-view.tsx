import { dayOf } from "../../kernel/days.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { type Health, waitingMax } from "../../webhooks/find-health.ts";
import type { Replay } from "../../webhooks/run-replays.ts";
import type { Webhook } from "../../webhooks/webhook.ts";
import type { ScreenContext } from "../context.ts";
import { Field } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { WebhookWords } from "../words/webhooks.ts";
import { percentOf, periodOf, ReplayState } from "./replay-view.tsx";
import { Tabs } from "./tabs.tsx";
import { deliveriesPath, replayPath, webhookPath, webhooksPath } from "./webhook-paths.ts";
import { conditionTones, lastSuccessOf, shareOf } from "./webhooks-view.tsx";

const weekMs = 7 * 86_400_000;

interface ViewProps {
  readonly context: ScreenContext;
  readonly words: WebhookWords;
  readonly health: Health;
  readonly replays: readonly Replay[];
  readonly now: Date;
}

/** One webhook: how it fares, what can be done with it, and what was sent again. */
export function WebhookView({ context, words, health, replays, now }: ViewProps) {
  const { href, words: frame, company } = context;
  const { webhook, condition, failingSince, coolingUntil, waiting } = health;
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  const fact = (name: string, at: Date | null) =>
    at === null ? [] : ([[name, moment(at)]] as const);
  return (
    <>
      <Tabs context={context} />
      <div class="head">
        <h1 class="anywhere">{webhook.url}</h1>
        <Status tone={conditionTones[condition]} word={words.conditions[condition]} />
      </div>
      <section class="card">
        <Facts
          facts={[
            [
              words.topic,
              <span key="topic" class="code">
                {webhook.topic}
              </span>,
            ],
            [words.created, moment(webhook.createdAt)],
            [words.lastSuccess, lastSuccessOf(context, words, health)],
            ...testFact(words, webhook, moment),
            ...fact(words.failingSince, failingSince),
            ...fact(words.coolingUntil, coolingUntil),
            ...fact(words.disabledAt, webhook.disabledAt),
            ...(webhook.disabledReason === null
              ? []
              : ([[words.disabledReason, webhook.disabledReason]] as const)),
            [words.share, shareOf(words, health)],
            [words.waiting, words.waitingCount(waiting, waitingMax)],
          ]}
        />
        <div class="row">
          <a class="button second" href={href(deliveriesPath, { webhook: webhook.id })}>
            {words.seeLog}
          </a>
          {waiting > 0 && (
            <a href={href(deliveriesPath, { webhook: webhook.id, status: "pending" })}>
              {words.seeWaiting}
            </a>
          )}
        </div>
      </section>
      {webhook.disabledAt === null ? (
        <InService context={context} words={words} health={health} replays={replays} now={now} />
      ) : (
        <section class="card" aria-labelledby="enable">
          <h2 id="enable">{words.enable}</h2>
          <p class="soft">{words.enableWhat}</p>
          <Form
            context={context}
            path={`${webhookPath(webhook.id)}/enable`}
            submit={words.enable}
          />
        </section>
      )}
      {replays.length > 0 && <Replays context={context} words={words} replays={replays} />}
      <p class="row">
        <a href={href(webhooksPath)}>{words.back}</a>
        <a href={href(`${webhookPath(webhook.id)}/delete`)}>{words.removeTitle}</a>
      </p>
    </>
  );
}

function testFact(
  words: WebhookWords,
  { test }: Webhook,
  moment: (at: Date) => string,
): (readonly [string, string])[] {
  if (test === null) return [];
  const { statusCode, error, sentAt } = test;
  const said =
    statusCode === null
      ? words.lastTestFailed(error ?? "", moment(sentAt))
      : words.lastTestAnswered(statusCode, moment(sentAt));
  return [[words.lastTest, said]];
}

/** What can be done while it hears of what happens. */
function InService({ context, words, health: { webhook }, now }: ViewProps) {
  const { company } = context;
  const path = webhookPath(webhook.id);
  const today = dayOf(now, company.timeZone);
  const weekAgo = dayOf(new Date(now.getTime() - weekMs), company.timeZone);
  return (
    <div class="cards">
      <section class="card" aria-labelledby="replay">
        <h2 id="replay">{words.replay}</h2>
        <p class="soft">{words.replayWhat}</p>
        <Form context={context} path={`${path}/replay`} submit={words.replaySubmit}>
          <Field id="since" label={words.since}>
            {(described) => (
              <input {...described} type="date" required max={today} value={weekAgo} />
            )}
          </Field>
          <Field id="until" label={words.until}>
            {(described) => <input {...described} type="date" required max={today} value={today} />}
          </Field>
          <fieldset>
            <legend>{words.which}</legend>
            <label class="choice">
              <input type="radio" name="which" value="failed" checked />
              <span>{words.onlyFailed}</span>
            </label>
            <label class="choice">
              <input type="radio" name="which" value="all" />
              <span>{words.everything}</span>
            </label>
          </fieldset>
        </Form>
      </section>
      <section class="card" aria-labelledby="test">
        <h2 id="test">{words.test}</h2>
        <p class="soft">{words.testWhat}</p>
        <Form context={context} path={`${path}/test`} submit={words.test} kind="second" />
        <h2>{words.disable}</h2>
        <p class="soft">{words.disableWhat}</p>
        <Form context={context} path={`${path}/disable`} submit={words.disable} kind="danger" />
      </section>
    </div>
  );
}

function Replays({ context, words, replays }: Pick<ViewProps, "context" | "words" | "replays">) {
  return (
    <Table
      caption={words.replays}
      rows={replays}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "period",
          title: words.replayPeriod,
          isHead: true,
          cell: (replay) => (
            <a href={context.href(replayPath(replay.webhookId, replay.id))}>
              {periodOf(context, replay)}
            </a>
          ),
        },
        {
          key: "which",
          title: words.which,
          cell: ({ failedOnly }) => (failedOnly ? words.onlyFailed : words.everything),
        },
        {
          key: "state",
          title: words.condition,
          cell: (replay) => <ReplayState words={words} replay={replay} />,
        },
        {
          key: "progress",
          title: words.replayState,
          cell: (replay) =>
            replay.endedAt === null
              ? words.replayProgress(percentOf(replay), replay.queued)
              : words.replayed(replay.queued),
        },
      ]}
    />
  );
}
