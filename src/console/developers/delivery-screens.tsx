import type { App } from "../../http/server.ts";
import { dayAfter, isDay, startOfDay } from "../../kernel/days.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { transferPayloads } from "../../transfers/tell-transfers.ts";
import { getDelivery, parseDeliveryId, redeliver } from "../../webhooks/deliveries.ts";
import { webhookQueue } from "../../webhooks/dispatcher.ts";
import { findDeliveries, findSent } from "../../webhooks/find-deliveries.ts";
import { allWebhooks, getWebhook } from "../../webhooks/manage-webhooks.ts";
import { getReplay, replayQueue, startReplay } from "../../webhooks/run-replays.ts";
import { attempt } from "../attempt.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { webhookWords } from "../words/webhooks.ts";
import { DeliveriesView } from "./deliveries-view.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import { noFilter, readLogFilter } from "./read-log-filter.ts";
import { refuseFrozen } from "./refuse-frozen.ts";
import { ReplayView } from "./replay-view.tsx";
import {
  deliveriesPath,
  deliveryPath,
  replayPath,
  webhookPath,
  webhooksPath,
} from "./webhook-paths.ts";

const may = "webhooks.manage";
const pageSize = 50;

/** What was sent: all of it, one of it, again, and a period of it again. */
export function deliveryScreens(app: App, parts: ConsoleParts): void {
  const { database, clock, hint } = parts;
  const one = `${webhooksPath}/:id/deliveries/:number`;

  screen(app, parts, deliveriesPath, { may }, async (context) => {
    const { company, query, language } = context;
    const words = webhookWords[language];
    const webhooks = await allWebhooks(database, company.id);
    const read = readLogFilter(query, webhooks);
    const { webhook, topic, status, from, to, before } = read ?? noFilter;
    const ofTime = (day: string | undefined) =>
      day === undefined ? undefined : startOfDay(day, company.timeZone);
    const wanted = {
      webhooks: webhooks.filter(
        ({ id, topic: own }) =>
          (webhook === undefined || webhook === id) && (topic === undefined || topic === own),
      ),
      status,
      since: ofTime(from),
      until: ofTime(to === undefined ? undefined : dayAfter(to)),
      before,
    };
    const page =
      read === undefined
        ? { lines: [], older: undefined }
        : await findDeliveries(database, company.id, wanted, pageSize);
    return context.send({
      title: words.log,
      content: (
        <DeliveriesView
          context={context}
          words={words}
          webhooks={webhooks}
          filter={read ?? noFilter}
          isWrong={read === undefined}
          page={page}
        />
      ),
      ...(read === undefined ? { status: 422, isProblem: true } : {}),
    });
  });

  screen(app, parts, one, { may }, async (context) => {
    const { company, params } = context;
    const words = webhookWords[context.language];
    const webhook = await getWebhook(database, company.id, parseUuid(params["id"] ?? ""));
    const number = parseDeliveryId(params["number"] ?? "");
    const delivery = await getDelivery(database, company.id, webhook.id, number);
    const payloadsOf: Parameters<typeof findSent>[0]["payloadsOf"] = (companyId, events) =>
      transferPayloads(database, companyId, events);
    const told = { database, payloadsOf };
    const sent = await findSent(told, company.id, webhook, delivery.eventNumber);
    return context.send({
      title: words.delivery(String(delivery.eventNumber)),
      content: (
        <DeliveryView
          context={context}
          words={words}
          webhook={webhook}
          delivery={delivery}
          sent={sent}
        />
      ),
    });
  });

  action(app, parts, `${one}/resend`, { may, proof: "none" }, async (context) => {
    refuseFrozen(context);
    const { company, params, by, language, seeOther } = context;
    const { id } = await getWebhook(database, company.id, parseUuid(params["id"] ?? ""));
    const number = parseDeliveryId(params["number"] ?? "");
    const { eventNumber } = await getDelivery(database, company.id, id, number);
    const back = deliveryPath(id, eventNumber);
    return attempt(context, back, async () => {
      await redeliver(database, company.id, id, eventNumber, by);
      hint(webhookQueue, company.id);
      return seeOther(back, { kind: "good", text: webhookWords[language].resent });
    });
  });

  action(app, parts, `${webhooksPath}/:id/replay`, { may, proof: "none" }, async (context) => {
    const { company, params, form, by, language, seeOther } = context;
    const words = webhookWords[language];
    const { id } = await getWebhook(database, company.id, parseUuid(params["id"] ?? ""));
    const [since, until] = [form.get("since") ?? "", form.get("until") ?? ""];
    if (!isDay(since) || !isDay(until) || since > until)
      return seeOther(webhookPath(id), { kind: "bad", text: words.dayProblem });
    const now = clock();
    const end = startOfDay(dayAfter(until), company.timeZone);
    const request = {
      companyId: company.id,
      webhookId: id,
      since: startOfDay(since, company.timeZone),
      // Fixed now: what happens meanwhile is not part of it.
      until: end < now ? end : now,
      failedOnly: form.get("which") !== "all",
    };
    if (request.since > request.until)
      return seeOther(webhookPath(id), { kind: "bad", text: words.dayProblem });
    return attempt(context, webhookPath(id), async () => {
      const replay = await startReplay(database, now, request, by);
      hint(replayQueue, company.id);
      return seeOther(replayPath(id, replay.id), { kind: "good", text: words.replayQueued });
    });
  });

  screen(app, parts, `${webhooksPath}/:id/replays/:replay`, { may }, async (context) => {
    const { company, params } = context;
    const words = webhookWords[context.language];
    const webhook = await getWebhook(database, company.id, parseUuid(params["id"] ?? ""));
    const replay = await getReplay(database, company.id, webhook.id, params["replay"] ?? "");
    return context.send({
      title: words.replayTitle,
      content: <ReplayView context={context} words={words} webhook={webhook} replay={replay} />,
    });
  });
}
