import type { Database } from "../database/database.ts";
import { EgressFailed, EgressRefused } from "../egress/errors.ts";
import { spendQuota } from "../quotas/spend-quota.ts";
import type { Sender } from "./attempt.ts";
import { testsPerMinute } from "./delivery-policy.ts";
import { noteTest } from "./dispatch-store.ts";
import { NewAddressesTooMany, WebhookDisabled } from "./errors.ts";
import { testTopic, toPayload } from "./event.ts";
import { getWebhook } from "./manage-webhooks.ts";
import { signedHeaders } from "./signature.ts";
import { mayTryAddress } from "./test-store.ts";
import { endpointIdOf } from "./webhook.ts";

/** What an address answered to a test event. */
export interface TestAnswer {
  /** Null: none came. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly response: string | null;
  /** Why none came. */
  readonly error: string | null;
}

const responseShown = 200;
const errorMax = 500;

/** Sends the test event of a webhook, signed like a notification, and answers what the receiver said. */
export async function askAddress(
  { client, clock, brand, secretsOf }: Sender,
  companyId: string,
  { webhookId, url }: { readonly webhookId: string; readonly url: string },
): Promise<TestAnswer> {
  const secrets = await secretsOf(companyId);
  const now = clock();
  const payload = toPayload(testTopic, { webhookId, createdAt: now.toISOString() });
  const id = `msg_${webhookId.replaceAll("-", "")}_test`;
  const headers = {
    ...signedHeaders(brand, secrets, now, { id, topic: testTopic, payload }),
    [`x-${brand}-webhook-test`]: "true",
  };
  const startedMs = performance.now();
  const taken = () => Math.round(performance.now() - startedMs);
  try {
    const request = { url, owner: companyId, method: "POST", headers, body: payload } as const;
    const { statusCode, body } = await client.send(request);
    const response = body.subarray(0, responseShown).toString("utf8");
    return { statusCode, durationMs: taken(), response, error: null };
  } catch (error) {
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error;
    const why = error instanceof EgressRefused ? `refused: ${error.reason}` : error.message;
    const shown = why.slice(0, errorMax).replaceAll("\u0000", "");
    return { statusCode: null, durationMs: taken(), response: null, error: shown };
  }
}

/**
 * The same because somebody wants to see the answer. Whoever waits for one may have some a minute; an address that never
 * answered 2xx gets it as one of the few requests that all such addresses of the company get.
 */
export async function tryWebhook(
  database: Database,
  sender: Sender,
  companyId: string,
  webhookId: string | undefined,
): Promise<TestAnswer> {
  const webhook = await getWebhook(database, companyId, webhookId);
  if (webhook.disabledAt !== null) throw new WebhookDisabled();
  await spendQuota(database, companyId, { name: "test_events", max: testsPerMinute });
  const endpointId = endpointIdOf(webhook.url);
  if (!(await mayTryAddress(database, companyId, endpointId))) throw new NewAddressesTooMany();
  const answer = await askAddress(sender, companyId, { webhookId: webhook.id, url: webhook.url });
  await noteTest(database, companyId, endpointId, answer);
  return answer;
}
