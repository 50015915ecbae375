import type { Cauri, Delivery, Webhook } from "@cauri/sdk";
import { callService } from "../../call-service.ts";
import { CallFailed } from "../../errors.ts";
import type { Client } from "../../read-client.ts";
import { type Check, ok, problem, skipped, warning } from "./check.ts";

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
          ok("webhooks", "none is registered; events can be asked for (`cauri webhooks listen`)"),
        ];
      const checks: Check[] = [];
      for (const webhook of data) checks.push(await checkWebhook(cauri, webhook));
      return checks;
    });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return [skipped("webhooks", `they could not be read: ${error.message}`)];
  }
}

async function checkWebhook(cauri: Cauri, webhook: Webhook): Promise<Check> {
  const { id, topic, url, disabledAt, disabledReason } = webhook;
  const what = `${topic} → ${url}`;
  if (disabledAt !== null)
    return problem(
      "webhook",
      `${what} is disabled since ${disabledAt}: ${disabledReason ?? ""}`,
      `Mend the receiver, then delete the webhook and register it again, or ask the operator for \`cauri webhook enable ${id}\`.`,
    );
  const page = cauri.webhooks.deliveries(id, { limit: deliveriesLookedAt }, { retries: 0 });
  const { data } = await page.page();
  const tried = data.filter(({ attempts }) => attempts > 0);
  const [last] = tried.toSorted((one, other) => lastAt(other).localeCompare(lastAt(one)));
  if (last === undefined && data.length > 0)
    return warning(
      "webhook",
      `${what}: notifications wait for it, and none was sent yet`,
      "To an address that has never answered 2xx, one goes out in 15 seconds. Look again in a minute.",
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
  return problem("webhook", message, adviceFor(answer, last));
}

function adviceFor(
  answer: Delivery["log"][number] | undefined,
  { nextAttemptAt }: Delivery,
): string {
  const next = nextAttemptAt === null ? "" : ` It is tried again at ${nextAttemptAt}.`;
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
