import { formatShortMoment } from "../../pages/format.ts";
import { topics } from "../../webhooks/event.ts";
import { type Condition, type Health, recentMax, waitingMax } from "../../webhooks/find-health.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { WebhookWords } from "../words/webhooks.ts";
import { Tabs } from "./tabs.tsx";
import { webhookPath, webhooksPath } from "./webhook-paths.ts";

/** What was typed, and what is wrong with it. */
export interface TypedWebhook {
  readonly topic: string;
  readonly url: string;
  readonly topicProblem?: string;
  readonly urlProblem?: string;
}

export const conditionTones: Readonly<Record<Condition, Tone>> = {
  ok: "good",
  new: "wait",
  failing: "bad",
  cooling: "bad",
  disabled: "idle",
};

export function WebhooksView({
  context,
  words,
  healths,
  typed,
}: {
  readonly context: ScreenContext;
  readonly words: WebhookWords;
  readonly healths: readonly Health[];
  readonly typed: TypedWebhook | undefined;
}) {
  const { href, words: frame } = context;
  const problems = [
    { field: "topic", text: typed?.topicProblem },
    { field: "url", text: typed?.urlProblem },
  ].flatMap(({ field, text }) => (text === undefined ? [] : [{ field, text }]));
  return (
    <>
      <Tabs context={context} />
      <h1>{words.title}</h1>
      <Problems title={frame.problem} problems={problems} />
      <p class="soft">{words.what}</p>
      {healths.length === 0 ? (
        <EmptyState {...words.none} />
      ) : (
        <Table
          caption={words.title}
          isCaptionHidden
          rows={healths}
          keyOf={({ webhook }) => webhook.id}
          columns={[
            {
              key: "url",
              title: words.url,
              isHead: true,
              cell: ({ webhook }) => (
                <a class="anywhere" href={href(webhookPath(webhook.id))}>
                  {webhook.url}
                </a>
              ),
            },
            {
              key: "topic",
              title: words.topic,
              cell: ({ webhook }) => <span class="code">{webhook.topic}</span>,
            },
            {
              key: "condition",
              title: words.condition,
              cell: ({ condition }) => (
                <Status tone={conditionTones[condition]} word={words.conditions[condition]} />
              ),
            },
            {
              key: "success",
              title: words.lastSuccess,
              cell: (health) => lastSuccessOf(context, words, health),
            },
            { key: "share", title: words.share, cell: (health) => shareOf(words, health) },
            {
              key: "waiting",
              title: words.waiting,
              isNumber: true,
              cell: ({ waiting }) => words.waitingCount(waiting, waitingMax),
            },
          ]}
        />
      )}
      <section class="card" aria-labelledby="create">
        <h2 id="create">{words.create}</h2>
        <p class="soft">{words.createWhat}</p>
        <Form context={context} path={webhooksPath} submit={words.submit}>
          <Field id="topic" label={words.topic} problem={typed?.topicProblem}>
            {(described) => (
              <select {...described} required>
                {topics.map((topic) => (
                  <option key={topic} value={topic} selected={topic === typed?.topic}>
                    {topic}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field id="url" label={words.url} hint={words.urlHint} problem={typed?.urlProblem}>
            {(described) => (
              <input
                {...described}
                type="url"
                inputmode="url"
                autocomplete="off"
                required
                maxLength={2_048}
                value={typed?.url}
              />
            )}
          </Field>
        </Form>
        <p class="soft">
          {words.secrets} <a href={href("/console/developers")}>{words.toKeys}</a>
        </p>
      </section>
    </>
  );
}

export function lastSuccessOf(
  { words: frame, company }: ScreenContext,
  words: WebhookWords,
  { lastSuccessAt }: Health,
): string {
  return lastSuccessAt === null
    ? words.noSuccess(recentMax)
    : formatShortMoment(frame, company.timeZone, lastSuccessAt);
}

/** Rounded down, so that a hundred means that nothing failed. */
export function shareOf(words: WebhookWords, { delivered, failed }: Health): string {
  const count = delivered + failed;
  return count === 0
    ? words.noShare
    : words.shareText(Math.floor((100 * delivered) / count), count);
}
