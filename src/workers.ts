import type { Logger } from "pino";
import { eachCompany } from "./companies/list-companies.ts";
import { SigningSecrets } from "./companies/signing-secrets.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { Signals } from "./database/signals.ts";
import type { WorkHints } from "./database/work-hints.ts";
import { WorkLoop } from "./database/work-loop.ts";
import { forgetIdempotencyKeys } from "./http/forget-idempotency-keys.ts";
import type { Metrics } from "./kernel/metrics.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import { nextSettlementMs, settleCompany } from "./transfers/settle-transfers.ts";
import { Dispatcher } from "./webhooks/dispatcher.ts";
import { EgressClient } from "./webhooks/egress.ts";
import { forgetDeliveries } from "./webhooks/forget-deliveries.ts";

const deliveryTimeoutMs = 10_000;
const deliveryResponseBytesMax = 16 * 1024;
const deliveriesPerEndpointMax = 8;
const deliveryConcurrency = 4;
const pollMs = 500;
const settleConcurrency = 2;
const housekeepingEveryMs = 3_600_000;

/** What the parts have in common. */
export interface Shared {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly signals: Signals;
  readonly hints: WorkHints;
  readonly metrics: Metrics;
}

export interface Worker {
  start(): void;
  stop(): Promise<void>;
}

/** Settles transfers. */
export function startSettling({ config, logger, database, metrics, hints }: Shared): Worker {
  const settlement = {
    database,
    logger,
    policy: config,
    settled: metrics.counter("cauri_transfers_settled_total", "Transfers settled, by outcome."),
  };
  const loop = new WorkLoop({
    database,
    logger,
    queue: "transfers",
    concurrency: settleConcurrency,
    pollMs,
    work: async (companyId) => {
      await settleCompany(settlement, companyId);
      hints.hint("webhooks");
    },
    nextDueMs: nextSettlementMs,
  });
  hints.wakeLocally("transfers", () => loop.wake());
  return loop;
}

/** Sends notifications. */
export function startDispatching(
  { config, logger, database, signals, metrics, hints }: Shared,
  box: SecretBox,
): Worker {
  const client = new EgressClient({
    policy: config,
    timeoutMs: deliveryTimeoutMs,
    responseBytesMax: deliveryResponseBytesMax,
    connectionsPerOrigin: deliveriesPerEndpointMax,
  });
  const secrets = new SigningSecrets(database, signals, box);
  const dispatcher = new Dispatcher({
    database,
    logger,
    client,
    brand: config.brand,
    secretsOf: (companyId) => secrets.of(companyId),
    inFlightPerEndpoint: deliveriesPerEndpointMax,
    onRecorded: () => hints.hint("webhooks"),
    outcomes: metrics.counter(
      "cauri_delivery_attempts_total",
      "Attempts to deliver a notification, by outcome.",
    ),
    seconds: metrics.histogram(
      "cauri_delivery_attempt_seconds",
      "How long an attempt took.",
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ),
  });
  const loop = new WorkLoop({
    database,
    logger,
    queue: "webhooks",
    concurrency: deliveryConcurrency,
    pollMs,
    work: (companyId) => dispatcher.work(companyId),
    nextDueMs: (tx, companyId) => dispatcher.nextDueMs(tx, companyId),
  });
  hints.wakeLocally("webhooks", () => loop.wake());
  signals.on("webhook_deleted", (webhookId) => dispatcher.forget(webhookId));
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await dispatcher.stop();
      await client.close();
    },
  };
}

/** Slow, bounded and unhurried: deletes what may be forgotten. */
export function startHousekeeping(logger: Logger, database: Database): NodeJS.Timeout {
  const tidy = async () => {
    for await (const company of eachCompany(database)) {
      while (await forgetIdempotencyKeys(database, company.id));
      while (await forgetDeliveries(database, company.id));
    }
  };
  const timer = setInterval(() => {
    tidy().catch((error: unknown) =>
      logger.warn({ err: error }, "housekeeping failed; it will be tried again"),
    );
  }, housekeepingEveryMs);
  timer.unref();
  return timer;
}
