import type { FastifyReply } from "fastify";
import { findUrlProblem } from "../../egress/policy.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { webhookQueue } from "../../webhooks/dispatcher.ts";
import { type Topic, topics } from "../../webhooks/event.ts";
import { findHealth, getHealth } from "../../webhooks/find-health.ts";
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  registerWebhook,
} from "../../webhooks/manage-webhooks.ts";
import { listReplays } from "../../webhooks/run-replays.ts";
import { tryWebhook } from "../../webhooks/send-test.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Form } from "../views/form.tsx";
import { webhookWords } from "../words/webhooks.ts";
import { refuseFrozen } from "./refuse-frozen.ts";
import { Tabs } from "./tabs.tsx";
import { webhookPath, webhooksPath } from "./webhook-paths.ts";
import { WebhookView } from "./webhook-view.tsx";
import { type TypedWebhook, WebhooksView } from "./webhooks-view.tsx";

const may = "webhooks.manage";
const noticeMax = 300;

/** The company's webhooks: how they fare, new ones, and what can be done with one. */
export function webhookScreens(app: App, parts: ConsoleParts): void {
  const { database, clock, config, settings, sender, hint, tellDeleted } = parts;
  // Where notifications of real money go. In staging people try addresses all day.
  const toChangeAddresses = settings.isProduction ? "fresh" : "none";
  const one = `${webhooksPath}/:id`;

  screen(app, parts, webhooksPath, { may }, (context) => showWebhooks(parts, context));

  action(app, parts, webhooksPath, { may, proof: toChangeAddresses }, async (context) => {
    const { form, company, by, language, seeOther } = context;
    const words = webhookWords[language];
    const typed = { topic: form.get("topic") ?? "", url: form.get("url")?.trim() ?? "" };
    const problem = findUrlProblem(typed.url, config)?.[language];
    if (!isTopic(typed.topic) || problem !== undefined)
      return showWebhooks(parts, context, {
        ...typed,
        ...(isTopic(typed.topic) ? {} : { topicProblem: words.topicProblem }),
        ...(problem === undefined ? {} : { urlProblem: words.urlProblem(problem) }),
      });
    const wanted = { topic: typed.topic, url: typed.url };
    return attempt(context, webhooksPath, async () => {
      const { webhooksMax } = config.quotas;
      const made = await database.transaction((tx) =>
        registerWebhook(tx, company.id, wanted, webhooksMax, by),
      );
      hint(webhookQueue, company.id);
      return seeOther(webhookPath(made.id), { kind: "good", text: words.createdNow });
    });
  });

  screen(app, parts, one, { may }, async (context) => {
    const { company, params } = context;
    const now = clock();
    const health = await getHealth(database, now, company.id, parseUuid(params["id"] ?? ""));
    const replays = await listReplays(database, company.id, health.webhook.id);
    const words = webhookWords[context.language];
    return context.send({
      title: words.title,
      content: (
        <WebhookView context={context} words={words} health={health} replays={replays} now={now} />
      ),
    });
  });

  /** What is done with one webhook, and said on its page. */
  const act = (
    name: string,
    proof: "fresh" | "none",
    work: (context: ActionContext, id: string) => Promise<FastifyReply>,
  ) =>
    action(app, parts, `${one}/${name}`, { may, proof }, async (context) => {
      refuseFrozen(context);
      const asked = parseUuid(context.params["id"] ?? "");
      const { id } = await getWebhook(database, context.company.id, asked);
      return attempt(context, webhookPath(id), () => work(context, id));
    });

  act("test", "none", async ({ company, language, seeOther }, id) => {
    const words = webhookWords[language];
    const { statusCode, durationMs, response, error } = await tryWebhook(
      database,
      sender,
      company.id,
      id,
    );
    hint(webhookQueue, company.id);
    const said = (response ?? "").replaceAll(/\s+/g, " ").trim().slice(0, noticeMax);
    const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300;
    return seeOther(webhookPath(id), {
      kind: isGood ? "good" : "bad",
      text:
        statusCode === null
          ? words.testFailed(durationMs, error ?? "")
          : words.testAnswered(statusCode, durationMs, said),
    });
  });

  act("disable", "none", async ({ company, by, language, seeOther }, id) => {
    await disableWebhook(database, company.id, id, by);
    await tellDeleted(id);
    const text = webhookWords[language].disabledNow;
    return seeOther(webhookPath(id), { kind: "good", text });
  });

  act("enable", toChangeAddresses, async ({ company, by, language, seeOther }, id) => {
    await enableWebhook(database, company.id, id, by);
    hint(webhookQueue, company.id);
    return seeOther(webhookPath(id), { kind: "good", text: webhookWords[language].enabledNow });
  });

  act("delete", toChangeAddresses, async ({ company, by, language, seeOther }, id) => {
    await deleteWebhook(database, company.id, id, by);
    await tellDeleted(id);
    return seeOther(webhooksPath, { kind: "good", text: webhookWords[language].removedNow });
  });

  screen(app, parts, `${one}/delete`, { may }, async (context) => {
    const { company, params, language, href } = context;
    const { id, url, topic } = await getWebhook(
      database,
      company.id,
      parseUuid(params["id"] ?? ""),
    );
    const words = webhookWords[language];
    return context.send({
      title: words.removeTitle,
      content: (
        <>
          <Tabs context={context} />
          <h1>{words.removeTitle}</h1>
          <p class="anywhere">
            <span class="code">{topic}</span> → {url}
          </p>
          <p>{words.removeWhat}</p>
          <Form
            context={context}
            path={`${webhookPath(id)}/delete`}
            submit={words.remove}
            kind="danger"
          />
          <p>
            <a href={href(webhookPath(id))}>{words.back}</a>
          </p>
        </>
      ),
    });
  });
}

async function showWebhooks(
  { database, clock }: ConsoleParts,
  context: ScreenContext,
  typed?: TypedWebhook,
): Promise<FastifyReply> {
  const words = webhookWords[context.language];
  const healths = await findHealth(database, clock(), context.company.id);
  return context.send({
    title: words.title,
    content: <WebhooksView context={context} words={words} healths={healths} typed={typed} />,
    ...(typed === undefined ? {} : { status: 422, isProblem: true }),
  });
}

function isTopic(text: string): text is Topic {
  return topics.some((topic) => topic === text);
}
