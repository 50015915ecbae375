import { createSecretKey, randomUUID } from "node:crypto";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { EgressClient } from "../src/egress/client.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import { claimEvents, type Recordable } from "../src/webhooks/dispatch-store.ts";
import { Dispatcher, type DispatcherOptions } from "../src/webhooks/dispatcher.ts";
import type { Topic } from "../src/webhooks/event.ts";
import type { Held, Outcome } from "../src/webhooks/held.ts";
import { createWebhook } from "../src/webhooks/manage-webhooks.ts";
import { endpointIdOf, type Webhook } from "../src/webhooks/webhook.ts";

/** A node that sends notifications, and has a turn only when the test says so. Gone when the test is over. */
export function makeDispatcher(
  database: Database,
  options: Partial<DispatcherOptions> = {},
): Dispatcher {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: 60_000,
    responseBytesMax: 1_024,
    connectionsMax: 1,
  });
  const metrics = new Metrics();
  const dispatcher = new Dispatcher({
    database,
    logger: pino({ level: "silent" }),
    clock: systemClock,
    client,
    brand: "service",
    secretsOf: async () => [createSecretKey(Buffer.from("sk_test"))],
    payloadsOf: async () => [],
    inFlightPerEndpoint: 1,
    onMore: () => {},
    outcomes: metrics.counter("outcomes", "outcomes"),
    seconds: metrics.histogram("seconds", "seconds", [1]),
    ...options,
  });
  onTestFinished(() => dispatcher.stop());
  return dispatcher;
}

/** Registers a webhook at an address that has answered before. */
export async function listen(
  database: Database,
  companyId: string,
  request: { readonly topic: Topic; readonly url: string },
): Promise<Webhook> {
  const webhook = await database.transaction((tx) => createWebhook(tx, companyId, request));
  await database.query(sql`
    update endpoints set tested_at = now(), proved_at = now() where company_id = ${companyId}`);
  return webhook;
}

/** Takes everything that is new for one address, as a node would, and does nothing with it. */
export async function takeInHand(
  database: Database,
  companyId: string,
  url: string,
  { nodeId = randomUUID(), held = [] }: { nodeId?: string; held?: readonly string[] } = {},
) {
  const claimId = randomUUID();
  const endpointId = endpointIdOf(url);
  const rows = await claimEvents(database, companyId, {
    nodeId,
    claimId,
    held,
    direct: [endpointId],
    limit: 500,
    now: new Date(),
    delayMs: 0,
  });
  const claim = {
    id: claimId,
    isWritten: false,
    claimedAt: new Date(),
    takenAtMs: 0,
    dueAtMs: 0,
    left: rows.length,
  };
  return rows.map(
    (row): Held => ({
      companyId,
      listener: { webhookId: row.webhook_id, endpointId, topic: "charge/events", url },
      claim,
      eventNumber: row.event_number,
      subjectId: row.subject_id,
      happenedMs: row.happened_ms,
      payload: "",
      tries: 0,
    }),
  );
}

/** What came of a delivery, always at the same moment: recorded twice, it is the same attempt. */
export function ended(held: Held, kind: Outcome["kind"]): Recordable {
  const statusCode = kind === "delivered" ? 200 : 500;
  return {
    held,
    outcome: {
      kind,
      delayMs: 5_000,
      askedMs: 0,
      startedMs: 1_700_000_000_000,
      durationMs: 1,
      statusCode,
      error: null,
      response: "",
    },
  };
}
