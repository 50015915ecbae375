import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { sendHint } from "../queues/work-hints.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { webhookQueue } from "../webhooks/dispatcher.ts";
import { WebhookDisabled } from "../webhooks/errors.ts";
import { enableWebhook, getCompanyOfWebhook, getWebhook } from "../webhooks/manage-webhooks.ts";
import { replayDeliveries } from "../webhooks/replay-deliveries.ts";

/** A request is not for ever: what is left is sent again when it is asked for once more. */
const replayedAtOnceMax = 10_000;

interface Place {
  readonly database: Database;
  readonly signals: Signals;
}

/** Takes a disabled webhook into service again; one that is in service stays as it is. False: it was in service. */
export async function enable(
  { database }: Place,
  webhookId: string,
  by: ConsolePerson,
  reason: string,
): Promise<boolean> {
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const { disabledAt } = await getWebhook(database, companyId, webhookId);
  if (disabledAt === null) return false;
  await enableWebhook(database, companyId, webhookId, by, reason);
  return true;
}

export interface Replayed {
  readonly queued: number;
  /** There may be more in the range. */
  readonly isCut: boolean;
}

/**
 * Sends again what a webhook was never told in the last hours, in the order in which it happened. What is under way or was
 * acknowledged is left alone, so it can be repeated. Throws WebhookNotFound, WebhookDisabled.
 */
export async function replayFailed(
  { database, signals }: Place,
  now: Date,
  {
    webhookId,
    hours,
    reason,
  }: { readonly webhookId: string; readonly hours: number; readonly reason: string },
  by: ConsolePerson,
): Promise<Replayed> {
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const { disabledAt } = await getWebhook(database, companyId, webhookId);
  if (disabledAt !== null) throw new WebhookDisabled();
  await database.transaction((tx) =>
    recordForCompany(tx, companyId, by, {
      action: "webhook.replayed",
      subject: webhookId,
      to: { hours, reason },
    }),
  );
  const since = new Date(now.getTime() - hours * 3_600_000);
  const range = { companyId, webhookId, since, until: now, failedOnly: true };
  let queued = 0;
  for await (const count of replayDeliveries(database, range)) {
    queued = count;
    await sendHint(signals, webhookQueue, [companyId]);
    if (queued >= replayedAtOnceMax) return { queued, isCut: true };
  }
  return { queued, isCut: false };
}
