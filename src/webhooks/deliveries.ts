import type { Database, Queryable } from "../database/database.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { isFrozen } from "../ledger/freeze.ts";
import { type Actor, isOperator } from "../trail/actor.ts";
import {
  requeueDeliveries,
  type StoredDelivery,
  selectAttempts,
  selectDeliveries,
  selectDelivery,
} from "./deliveries-store.ts";
import { DeliveryNotFound, WebhookDisabled } from "./errors.ts";
import { getWebhook } from "./manage-webhooks.ts";
import { foreseeFor } from "./next-step.ts";
import type { Attempt, Delivery } from "./webhook.ts";

export interface LoggedDelivery extends Delivery {
  readonly log: readonly Attempt[];
}

export interface DeliveryPage {
  readonly rows: readonly LoggedDelivery[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

export interface DeliveryPageRequest {
  readonly limit: number;
  readonly before?: number;
  readonly after?: number;
}

/** Deliveries are named by the number of their event. */
export function parseDeliveryId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** A webhook's deliveries with every attempt, newest first. */
export async function listDeliveries(
  database: Queryable,
  companyId: string,
  webhookId: string | undefined,
  request: DeliveryPageRequest,
): Promise<DeliveryPage> {
  const webhook = await getWebhook(database, companyId, webhookId);
  const limit = request.limit + 1;
  const found = await selectDeliveries(database, companyId, webhook, { ...request, limit });
  const more = found.length > request.limit;
  const page = found.slice(0, request.limit);
  if (request.after !== undefined) page.reverse();
  return {
    rows: await withLog(database, companyId, webhook.id, page),
    hasNewer: request.after === undefined ? request.before !== undefined : more,
    hasOlder: request.after !== undefined || more,
  };
}

/** One delivery with every attempt. */
export async function getDelivery(
  database: Queryable,
  companyId: string,
  webhookId: string | undefined,
  eventNumber: number | undefined,
): Promise<LoggedDelivery> {
  const webhook = await getWebhook(database, companyId, webhookId);
  const found =
    eventNumber === undefined
      ? undefined
      : await selectDelivery(database, companyId, webhook, eventNumber);
  const [logged] =
    found === undefined ? [] : await withLog(database, companyId, webhook.id, [found]);
  if (logged === undefined) throw new DeliveryNotFound();
  return logged;
}

/**
 * Sends a delivery again, from the start of the schedule. One that waits for its next try, or for its address to answer, is
 * tried now; one that is being sent, or waits for an earlier event, stays as it is. For a frozen company the
 * operator alone does so, also at a node that has not heard of the freeze.
 */
export async function redeliver(
  database: Database,
  companyId: string,
  webhookId: string | undefined,
  eventNumber: number | undefined,
  by: Actor,
): Promise<LoggedDelivery> {
  if (!isOperator(by) && (await isFrozen(database, companyId))) throw new CompanyFrozen();
  const webhook = await getWebhook(database, companyId, webhookId);
  if (webhook.disabledAt !== null) throw new WebhookDisabled();
  const find = async () =>
    eventNumber === undefined
      ? undefined
      : selectDelivery(database, companyId, webhook, eventNumber);
  const found = await find();
  if (found === undefined) throw new DeliveryNotFound();
  const queued = await requeueDeliveries(database, companyId, webhook.id, [found.eventNumber]);
  if (queued === undefined) throw await refusalOf(database, companyId, webhook.id);
  const after = (await find()) ?? found;
  const [logged] = await withLog(database, companyId, webhook.id, [after]);
  if (logged === undefined) throw new DeliveryNotFound();
  return logged;
}

/** Why nothing can be sent again to a webhook that was in service a moment ago. */
export async function refusalOf(
  database: Queryable,
  companyId: string,
  webhookId: string,
): Promise<Error> {
  await getWebhook(database, companyId, webhookId);
  return new WebhookDisabled();
}

async function withLog(
  database: Queryable,
  companyId: string,
  webhookId: string,
  deliveries: readonly StoredDelivery[],
): Promise<LoggedDelivery[]> {
  const numbers = deliveries.map(({ eventNumber }) => eventNumber);
  const foresee = await foreseeFor(database, companyId);
  const attempts = await selectAttempts(database, companyId, webhookId, numbers);
  return deliveries.map(({ told, ...delivery }) => ({
    ...delivery,
    ...foresee(webhookId, delivery),
    log: [
      ...attempts.filter(({ eventNumber }) => eventNumber === delivery.eventNumber),
      ...(told === undefined ? [] : [told]),
    ],
  }));
}
