import type { Delivery } from "@cauri/sdk";
import { toVisible } from "../../../kernel/visible.ts";
import { callService } from "../../call-service.ts";
import { Clock } from "../../clock.ts";
import { commandFor, type Login } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { describeWaiting } from "../../describe-waiting.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";

/** What was sent to a webhook, what it answered, and why something waits and until when. */
export async function listDeliveriesCommand(
  id: string,
  options: ClientOptions & PageOptions,
): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { limit, cursor } = options;
  return callService(client, {}, async (cauri) => {
    const { timeZone } = await cauri.company();
    const clock = new Clock(timeZone);
    const page = await cauri.webhooks.deliveries(id, { limit }).page(cursor);
    const outcome = toPageOutcome({ next: page.cursor.next }, page.data, tableOf(clock), clock);
    return {
      ...outcome,
      text: [outcome.text, ...explainWaiting(client, id, page.data)].join("\n"),
    };
  });
}

function tableOf(clock: Clock) {
  return {
    headings: ["DELIVERY", "TOPIC", "STATUS", "ATTEMPTS", "CREATED", "LAST ANSWER", "WAITS FOR"],
    cells: (delivery: Delivery) => [
      delivery.id,
      delivery.topic,
      delivery.status,
      String(delivery.attempts),
      clock.show(delivery.createdAt),
      lastAnswerOf(delivery),
      waitOf(delivery, clock),
    ],
  };
}

function lastAnswerOf({ log }: Delivery): string {
  const last = log.at(-1);
  if (last === undefined) return "";
  return last.error ?? (last.statusCode === null ? "" : String(last.statusCode));
}

function waitOf({ waitingFor, nextAttemptAt }: Delivery, clock: Clock): string {
  if (waitingFor === null) return "";
  return nextAttemptAt === null ? waitingFor : `${waitingFor} until ${clock.show(nextAttemptAt)}`;
}

/** One line for each reason that stands in the table, and how to end the waiting. */
function explainWaiting(client: Login, id: string, deliveries: readonly Delivery[]): string[] {
  const found = new Set(deliveries.flatMap(({ waitingFor }) => waitingFor ?? []));
  if (found.size === 0) return [];
  return [
    ...[...found].map((reason) => toVisible(`${reason}: it waits for ${describeWaiting(reason)}.`)),
    `To try now: ${commandFor(client, "webhooks", "redeliver", id, "--all")}`,
  ];
}
