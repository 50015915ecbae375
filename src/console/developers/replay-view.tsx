import { formatShortMoment } from "../../pages/format.ts";
import type { Replay } from "../../webhooks/run-replays.ts";
import type { Webhook } from "../../webhooks/webhook.ts";
import type { ScreenContext } from "../context.ts";
import { Progress } from "../views/progress.tsx";
import { RefreshSoon } from "../views/refresh-soon.tsx";
import { Status } from "../views/status.tsx";
import { Facts } from "../views/table.tsx";
import type { WebhookWords } from "../words/webhooks.ts";
import { Tabs } from "./tabs.tsx";
import { deliveriesPath, replayPath, webhookPath } from "./webhook-paths.ts";

/** How far a replay is; the page comes again by itself until it is over. */
export function ReplayView({
  context,
  words,
  webhook,
  replay,
}: {
  readonly context: ScreenContext;
  readonly words: WebhookWords;
  readonly webhook: Webhook;
  readonly replay: Replay;
}) {
  const { href } = context;
  const isOver = replay.endedAt !== null;
  const percent = percentOf(replay);
  return (
    <>
      <Tabs context={context} />
      <div class="head">
        <h1>{words.replayTitle}</h1>
        <ReplayState words={words} replay={replay} />
      </div>
      <Progress
        label={words.replayState}
        done={percent}
        total={100}
        text={words.replayProgress(percent, replay.queued)}
      />
      {!isOver && <p class="soft">{words.refreshWhat}</p>}
      <section class="card">
        <Facts
          facts={[
            [
              words.url,
              <span key="url" class="anywhere">
                {webhook.url}
              </span>,
            ],
            [words.topic, webhook.topic],
            [words.replayPeriod, periodOf(context, replay)],
            [words.which, replay.failedOnly ? words.onlyFailed : words.everything],
          ]}
        />
      </section>
      <div class="row">
        {!isOver && (
          <a class="button" href={href(replayPath(webhook.id, replay.id))}>
            {words.refresh}
          </a>
        )}
        <a class="button second" href={href(deliveriesPath, { webhook: webhook.id })}>
          {words.seeLog}
        </a>
        <a href={href(webhookPath(webhook.id))}>{words.back}</a>
      </div>
      {!isOver && <RefreshSoon nonce={context.nonce} />}
    </>
  );
}

export function ReplayState({
  words,
  replay: { endedAt, isStopped },
}: {
  readonly words: WebhookWords;
  readonly replay: Replay;
}) {
  if (endedAt === null) return <Status tone="wait" word={words.replayStates.running} />;
  return isStopped ? (
    <Status tone="bad" word={words.replayStates.stopped} />
  ) : (
    <Status tone="good" word={words.replayStates.done} />
  );
}

/** Of the event numbers of the period; a hundred only when it is over. */
export function percentOf({ firstEvent, nextEvent, endEvent, endedAt, isStopped }: Replay): number {
  if (endedAt !== null && !isStopped) return 100;
  const all = endEvent - firstEvent;
  return all === 0 ? 0 : Math.min(99, Math.floor((100 * (nextEvent - firstEvent)) / all));
}

export function periodOf({ words, company }: ScreenContext, { since, until }: Replay): string {
  const moment = (at: Date) => formatShortMoment(words, company.timeZone, at);
  return `${moment(since)} – ${moment(until)}`;
}
