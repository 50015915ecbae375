import type { Cauri, Delivery, Webhook } from "@cauri/sdk";
import { callService } from "../../call-service.ts";
import { type Check, ok, problem, skipped, warning } from "../../check.ts";
import { commandFor, type Login } from "../../command-for.ts";
import { describeWaiting } from "../../describe-waiting.ts";
import { CallFailed } from "../../errors.ts";
import { quoted } from "../../quoted.ts";
import type { Client } from "../../read-client.ts";

/** A company has twenty unless the operator has set another number. */
const webhooksMax = 50;
const deliveriesLookedAt = 10;

/** Whether those who want to be told are told. */
export async function checkWebhooks(client: Client): Promise<Check[]> {
  try {
    return await callService(client, {}, async (cauri) => {
      const { data } = await cauri.webhooks.list({ limit: webhooksMax }, { retries: 0 }).page();
      if (data.length === 0)
        return [
          ok(
            "webhooks",
            `none is registered; to ask for events: ${commandFor(client, "webhooks", "listen")}`,
          ),
        ];
      const checks: Check[] = [];
      for (const webhook of data.slice(0, webhooksMax))
        checks.push(await checkWebhook(cauri, client, webhook));
      return checks;
    });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return [skipped("webhooks", `they could not be read: ${error.message}`)];
  }
}

async function checkWebhook(cauri: Cauri, client: Login, webhook: Webhook): Promise<Check> {
  const { id, topic, url, disabledAt, disabledReason, testEvent } = webhook;
  const what = `${topic} → ${url}`;
  if (disabledAt !== null)
    return problem(
      "webhook",
      `${what} is disabled since ${disabledAt}: ${disabledReason ?? ""}`,
      `Mend the receiver, then ask the operator for \`cauri webhook enable ${quoted(id)}\`, or register it again after: ${commandFor(client, "webhooks", "delete", id)}`,
    );
  const page = cauri.webhooks.deliveries(id, { limit: deliveriesLookedAt }, { retries: 0 });
  const { data } = await page.page();
  const tried = data.filter(({ attempts }) => attempts > 0);
  const [last] = tried.toSorted((one, other) => lastAt(other).localeCompare(lastAt(one)));
  const waiting = data.find(({ waitingFor }) => waitingFor !== null);
  if (last === undefined && waiting !== undefined)
    return warning("webhook", `${what}: notifications wait for it`, waitOf(client, waiting));
  if (testEvent !== null && !isSuccess(testEvent.statusCode) && last === undefined)
    return warning(
      "webhook",
      `${what}: its test event failed: ${testEvent.error ?? `answered ${testEvent.statusCode}`}`,
      "Answer any 2xx, also to a topic that you do not know. Notifications follow all the same, four a minute until one is acknowledged.",
    );
  if (last === undefined) return ok("webhook", `${what}: nothing was to be sent to it yet`);
  if (last.status === "delivered")
    return ok("webhook", `${what}: last delivered ${last.updatedAt}`);
  const answer = last.log.at(-1);
  const said = answer?.error ?? `answered ${answer?.statusCode ?? "nothing"}`;
  const message = `${what} fails: ${said}, ${last.attempts} attempts`;
  const isOver = last.status !== "pending" && last.status !== "blocked";
  if (isOver && last.status !== "failed")
    return warning("webhook", `${what}: ${last.status}`, "See its deliveries.");
  return problem("webhook", message, adviceFor(client, answer, last));
}

/** What it waits for, until when, and how to end that. */
function waitOf(client: Login, { id, webhookId, waitingFor, nextAttemptAt }: Delivery): string {
  if (waitingFor === null) return "";
  const next = nextAttemptAt === null ? "" : ` It is tried at ${nextAttemptAt}.`;
  const redeliver = commandFor(client, "webhooks", "redeliver", webhookId, id);
  return `Delivery ${id} waits for ${describeWaiting(waitingFor)}.${next} To try it now: ${redeliver}`;
}

function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function adviceFor(
  client: Login,
  answer: Delivery["log"][number] | undefined,
  delivery: Delivery,
): string {
  const wait = waitOf(client, delivery);
  const next = wait === "" ? "" : ` ${wait}`;
  const { statusCode = null } = answer ?? {};
  if (statusCode === 401 || statusCode === 403)
    return `Your receiver refuses it: \`cauri verify-signature\` says why a signature does not match.${next}`;
  if (statusCode !== null && statusCode < 400)
    return `Redirects are not followed: register the address that answers 2xx itself.${next}`;
  if (statusCode !== null) return `Look into your receiver's log for this moment.${next}`;
  return `Your receiver was not reached, or took more than 10 s: answer 2xx first, and work afterwards.${next}`;
}

function lastAt({ log, updatedAt }: Delivery): string {
  return log.at(-1)?.startedAt ?? updatedAt;
}
