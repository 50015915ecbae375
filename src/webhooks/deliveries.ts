import type { Database, Queryable } from "../database/database.ts";
import {
  requeueDeliveries,
  selectAttempts,
  selectDeliveries,
  selectDelivery,
} from "./deliveries-store.ts";
import { DeliveryNotFound, WebhookDisabled } from "./errors.ts";
import { getWebhook } from "./manage-webhooks.ts";
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

/** A webhook's deliveries with every attempt, newest first. */
export async function listDeliveries(
  database: Queryable,
  companyId: string,
  webhookId: string | undefined,
  request: DeliveryPageRequest,
): Promise<DeliveryPage> {
  const webhook = await getWebhook(database, companyId, webhookId);
  const found = await selectDeliveries(database, companyId, webhook.id, request);
  const more = found.length > request.limit;
  const page = found.slice(0, request.limit);
  if (request.after !== undefined) page.reverse();
  const attempts = await selectAttempts(
    database,
    companyId,
    webhook.id,
    page.map(({ eventNumber }) => eventNumber),
  );
  return {
    rows: page.map((delivery) => ({
      ...delivery,
      log: attempts.filter(({ eventNumber }) => eventNumber === delivery.eventNumber),
    })),
    hasNewer: request.after === undefined ? request.before !== undefined : more,
    hasOlder: request.after !== undefined || more,
  };
}

/** Sends a finished delivery again, from the start of the schedule; one that is under way stays as it is. */
export async function redeliver(
  database: Database,
  companyId: string,
  webhookId: string | undefined,
  eventNumber: number | undefined,
): Promise<LoggedDelivery> {
  const webhook = await getWebhook(database, companyId, webhookId);
  if (webhook.disabledAt !== null) throw new WebhookDisabled();
  const found =
    eventNumber === undefined
      ? undefined
      : await selectDelivery(database, companyId, webhook.id, eventNumber);
  if (found === undefined) throw new DeliveryNotFound();
  await requeueDeliveries(database, companyId, webhook.id, [found.eventNumber]);
  const after = (await selectDelivery(database, companyId, webhook.id, found.eventNumber)) ?? found;
  return {
    ...after,
    log: await selectAttempts(database, companyId, webhook.id, [found.eventNumber]),
  };
}
