import type { Cauri, Delivery } from "@cauri/sdk";
import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { callService } from "../../call-service.ts";
import { Clock, type TypedMoment } from "../../clock.ts";
import { commandFor, type Login } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { counted } from "../../counted.ts";
import { Progress } from "../../progress.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import type { Yes } from "../../run.ts";

export interface RedeliverOptions extends ClientOptions, Yes {
  readonly all?: boolean;
  readonly since?: TypedMoment;
}

/** Of one run. The operator's `webhook replay` has no such limit. */
const deliveriesMax = 10_000;
const pageSize = 100;
const whenUnknown =
  "It does no harm to run it again: a delivery keeps its webhook-id, by which a receiver knows what it has.";

/** Sends one delivery again, or everything that has not arrived. */
export async function redeliverCommand(
  id: string,
  deliveryId: string | undefined,
  options: RedeliverOptions,
): Promise<Outcome> {
  if ((deliveryId === undefined) !== (options.all === true))
    throw new InvalidConfiguration([
      "Give the id of one delivery (`webhooks deliveries` lists them), or --all for what has not arrived.",
    ]);
  const client = await readClient(process.env, options);
  return callService(client, { whenUnknown }, (cauri) =>
    deliveryId === undefined
      ? redeliverAll(cauri, client, id, options)
      : redeliverOne(cauri, client, id, deliveryId),
  );
}

async function redeliverOne(
  cauri: Cauri,
  client: Login,
  id: string,
  deliveryId: string,
): Promise<Outcome> {
  const delivery = await cauri.webhooks.redeliver(id, deliveryId);
  return {
    value: delivery,
    text: `Delivery ${deliveryId} is ${toVisible(delivery.status)}. What becomes of it: ${commandFor(client, "webhooks", "deliveries", id)}`,
  };
}

async function redeliverAll(
  cauri: Cauri,
  client: Login,
  id: string,
  options: RedeliverOptions,
): Promise<Outcome> {
  const { found, isWhole } = await findUndelivered(cauri, id, options);
  if (found.length === 0)
    return {
      value: { webhookId: id, redelivered: 0, isWhole },
      text: "Nothing has failed and nothing waits: there is nothing to send again.",
    };
  await confirm(`Send ${counted(found.length, "notification")} again?`, options);
  const progress = new Progress(found.length);
  // In the order in which they happened.
  for (const [index, { id: deliveryId }] of found.toReversed().entries()) {
    await cauri.webhooks.redeliver(id, deliveryId);
    progress.show(index + 1);
  }
  return {
    value: { webhookId: id, redelivered: found.length, isWhole },
    text: [
      `Sent again: ${found.length}. What becomes of them: ${commandFor(client, "webhooks", "deliveries", id)}`,
      ...(isWhole ? [] : ["There are more: run it again when these have arrived."]),
    ].join("\n"),
  };
}

/** Newest first. What is over in another way (superseded, cancelled) is not sent, and an earlier event goes first anyway. */
async function findUndelivered(
  cauri: Cauri,
  id: string,
  { since }: RedeliverOptions,
): Promise<{ readonly found: readonly Delivery[]; readonly isWhole: boolean }> {
  const from = since?.(new Clock((await cauri.company()).timeZone)).toISOString() ?? "";
  const found: Delivery[] = [];
  for await (const delivery of cauri.webhooks.deliveries(id, { limit: pageSize })) {
    if (delivery.createdAt < from) break;
    const { status, waitingFor } = delivery;
    const isStuck = status === "pending" && waitingFor !== null;
    if (status !== "failed" && !isStuck) continue;
    if (found.length === deliveriesMax) return { found, isWhole: false };
    found.push(delivery);
  }
  return { found, isWhole: true };
}
