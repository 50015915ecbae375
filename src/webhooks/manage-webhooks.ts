import { randomUUID } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { timeOfUuid } from "../kernel/ids.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { eventsMax, firstAttemptDelayMs, reasonByPerson } from "./delivery-policy.ts";
import { claimEvents } from "./dispatch-store.ts";
import { TooManyWebhooks, WebhookNotFound } from "./errors.ts";
import type { Topic } from "./event.ts";
import { selectWebhookCompany } from "./replay-store.ts";
import {
  insertWebhook,
  isBehind,
  lockDeliveries,
  markDisabled,
  markEnabled,
  removeWebhook,
  selectProved,
  selectWebhook,
  selectWebhookPage,
} from "./store.ts";
import { endpointIdOf, type Webhook } from "./webhook.ts";

/** Registers a webhook. It hears of what happens from here on; a new address is sent a test event first. */
export async function createWebhook(
  tx: Tx,
  companyId: string,
  request: { readonly topic: Topic; readonly url: string },
  webhooksMax = Number.POSITIVE_INFINITY,
): Promise<Webhook> {
  const id = await nextId(tx, companyId, "webhooks");
  const createdAt = new Date(timeOfUuid(id));
  const webhook: Webhook = {
    ...request,
    id,
    disabledAt: null,
    disabledReason: null,
    createdAt,
    updatedAt: createdAt,
    test: null,
  };
  const count = await lockDeliveries(tx, companyId);
  if (count >= webhooksMax) throw new TooManyWebhooks(webhooksMax);
  await insertWebhook(tx, companyId, webhook, count === 0);
  return webhook;
}

/** The same as an act of somebody: with its entry in the trail. */
export async function registerWebhook(
  tx: Tx,
  companyId: string,
  request: { readonly topic: Topic; readonly url: string },
  webhooksMax: number,
  by: Actor,
): Promise<Webhook> {
  const webhook = await createWebhook(tx, companyId, request, webhooksMax);
  const entry = { action: "webhook.created", subject: webhook.id, to: request } as const;
  await recordForCompany(tx, companyId, by, entry);
  return webhook;
}

export async function getWebhook(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<Webhook> {
  const webhook = id === undefined ? undefined : await selectWebhook(database, companyId, id);
  if (webhook === undefined) throw new WebhookNotFound();
  return webhook;
}

export async function listWebhooks(
  database: Queryable,
  companyId: string,
  request: PageRequest,
): Promise<Page<Webhook>> {
  return toPage(
    { name: "webhooks", companyId },
    request,
    await selectWebhookPage(database, companyId, request),
  );
}

/** Ends a webhook; what it still had to deliver is cancelled with it. */
export async function deleteWebhook(
  database: Database,
  companyId: string,
  id: string | undefined,
  by: Actor = operator(),
): Promise<void> {
  if (id === undefined) throw new WebhookNotFound();
  await database.transaction(async (tx) => {
    await lockDeliveries(tx, companyId);
    const { topic, url } = await getWebhook(tx, companyId, id);
    if (!(await removeWebhook(tx, companyId, id))) throw new WebhookNotFound();
    const entry = { action: "webhook.deleted", subject: id, from: { topic, url } } as const;
    await recordForCompany(tx, companyId, by, entry);
  });
}

/**
 * Takes a disabled webhook into service again. What happened meanwhile is written down as cancelled first,
 * so that it can be replayed.
 */
export async function enableWebhook(
  database: Database,
  companyId: string,
  id: string,
  by: Actor = operator(),
  reason?: string,
): Promise<Webhook> {
  while (await isBehind(database, companyId)) await writeDown(database, companyId);
  return database.transaction(async (tx) => {
    await lockDeliveries(tx, companyId);
    const webhook = await markEnabled(tx, companyId, id);
    if (webhook === undefined) throw new WebhookNotFound();
    await recordForCompany(tx, companyId, by, {
      action: "webhook.enabled",
      subject: id,
      ...(reason === undefined ? {} : { to: { reason } }),
    });
    return webhook;
  });
}

/** Takes a webhook out of service; what it still had to deliver is cancelled, and can be replayed once it is back. */
export async function disableWebhook(
  database: Database,
  companyId: string,
  id: string | undefined,
  by: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockDeliveries(tx, companyId);
    const { disabledAt } = await getWebhook(tx, companyId, id);
    if (id === undefined || disabledAt !== null) return;
    await markDisabled(tx, companyId, id, reasonByPerson);
    await recordForCompany(tx, companyId, by, { action: "webhook.disabled", subject: id });
  });
}

/** Takes events without telling them: everything is written down. */
async function writeDown(database: Database, companyId: string): Promise<void> {
  await claimEvents(database, companyId, {
    nodeId: randomUUID(),
    claimId: randomUUID(),
    held: [],
    direct: [],
    limit: eventsMax,
    now: new Date(),
    delayMs: firstAttemptDelayMs,
  });
}

/** The company a webhook belongs to, for the operator, who knows it by its id alone. */
export async function getCompanyOfWebhook(database: Queryable, id: string): Promise<string> {
  const companyId = await selectWebhookCompany(database, id);
  if (companyId === undefined) throw new WebhookNotFound();
  return companyId;
}

const pageSize = 1_000;

/** The newest webhooks of a company, for the operator: with whether their addresses have ever answered 2xx. */
export async function allWebhooks(
  database: Queryable,
  companyId: string,
): Promise<(Webhook & { readonly isProved: boolean })[]> {
  const proved = await selectProved(database, companyId);
  const webhooks = await selectWebhookPage(database, companyId, { limit: pageSize });
  return webhooks.map((webhook) => ({
    ...webhook,
    isProved: proved.has(endpointIdOf(webhook.url)),
  }));
}
