import { sendHint } from "../../../queues/work-hints.ts";
import { webhookQueue } from "../../../webhooks/dispatcher.ts";
import { WebhookDisabled } from "../../../webhooks/errors.ts";
import { getCompanyOfWebhook, getWebhook } from "../../../webhooks/manage-webhooks.ts";
import { countReplay, replayDeliveries } from "../../../webhooks/replay-deliveries.ts";
import type { TypedMoment } from "../../clock.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { Progress } from "../../progress.ts";

export interface ReplayOptions {
  readonly since: TypedMoment;
  readonly until?: TypedMoment;
  readonly failed?: boolean;
}

/** The end of the range is fixed at the start, so that what happens meanwhile is not part of it. */
export async function replayCommand(
  context: Context,
  webhookId: string,
  options: ReplayOptions,
): Promise<Outcome> {
  const { database, signals } = context;
  const companyId = await getCompanyOfWebhook(database, webhookId);
  const webhook = await getWebhook(database, companyId, webhookId);
  if (webhook.disabledAt !== null) throw new WebhookDisabled();
  const clock = await findClock(context, companyId);
  const request = {
    companyId,
    webhookId,
    since: options.since(clock),
    until: options.until?.(clock) ?? new Date(),
    failedOnly: options.failed === true,
  };
  const total = await countReplay(database, request);
  const progress = new Progress(total);
  let queued = 0;
  for await (const count of replayDeliveries(database, request)) {
    queued = count;
    progress.show(queued);
    await sendHint(signals, webhookQueue, [companyId]);
  }
  return {
    value: { webhookId, found: total, queued },
    text: `${queued} of ${total} deliveries will be sent again.`,
  };
}
