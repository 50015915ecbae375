import type { Logger } from "pino";
import { expireCompany, nextExpiryMs } from "./charges/expire-charges.ts";
import type { Payments } from "./charges/payments.ts";
import { forgetCheckouts } from "./checkout/forget-checkouts.ts";
import { fetchLogos, nextLogoMs } from "./companies/fetch-logos.ts";
import { eachCompany } from "./companies/list-companies.ts";
import { type LogoAnswer, logoBytesMax } from "./companies/logo.ts";
import { SigningSecrets } from "./companies/signing-secrets.ts";
import type { Config } from "./config.ts";
import { forgetCodes } from "./customers/forget-codes.ts";
import type { Database } from "./database/database.ts";
import type { Signals } from "./database/signals.ts";
import type { WorkHints } from "./database/work-hints.ts";
import { WorkLoop } from "./database/work-loop.ts";
import { forgetIdempotencyKeys } from "./idempotency/forget-keys.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Metrics } from "./kernel/metrics.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import { nextSettlementMs, settleCompany } from "./transfers/settle-transfers.ts";
import { Dispatcher } from "./webhooks/dispatcher.ts";
import { EgressClient, EgressRefused } from "./webhooks/egress.ts";
import { forgetDeliveries } from "./webhooks/forget-deliveries.ts";

const deliveryTimeoutMs = 10_000;
const deliveryResponseBytesMax = 16 * 1024;
const deliveriesPerEndpointMax = 8;
const deliveryConcurrency = 4;
const logoTimeoutMs = 5_000;
const logoConcurrency = 4;
const logoConnectionsPerOrigin = 16;
/** Nobody waits for a logo: pages show initials until it is there. */
const logoPollMs = 2_000;
const pollMs = 500;
const settleConcurrency = 2;
const expireConcurrency = 2;
const housekeepingEveryMs = 3_600_000;

/** What the parts have in common. */
export interface Shared {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly clock: Clock;
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

/** Drops charges whose time is over. */
export function startExpiring({ logger, database }: Shared, payments: Payments): Worker {
  return new WorkLoop({
    database,
    logger,
    queue: "charges",
    concurrency: expireConcurrency,
    pollMs,
    work: (companyId) => expireCompany(payments, companyId),
    nextDueMs: nextExpiryMs,
  });
}

/** Sends notifications. */
export function startDispatching(
  { config, logger, database, clock, signals, metrics, hints }: Shared,
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
    clock,
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

/** Fetches logos, through the same guard as notifications: others have chosen their addresses too. */
export function startFetchingLogos({ config, logger, database, hints }: Shared): Worker {
  const client = new EgressClient({
    policy: config,
    timeoutMs: logoTimeoutMs,
    responseBytesMax: logoBytesMax,
    connectionsPerOrigin: logoConnectionsPerOrigin,
  });
  const stopping = new AbortController();
  const fetching = {
    database,
    logger,
    ask: (url: string) => askForLogo(client, stopping.signal, url),
  };
  const loop = new WorkLoop({
    database,
    logger,
    queue: "logos",
    concurrency: logoConcurrency,
    pollMs: logoPollMs,
    work: (companyId) => fetchLogos(fetching, companyId),
    nextDueMs: nextLogoMs,
  });
  hints.wakeLocally("logos", () => loop.wake());
  return {
    start: () => loop.start(),
    async stop() {
      stopping.abort();
      await loop.stop();
      await client.close();
    },
  };
}

async function askForLogo(
  client: EgressClient,
  signal: AbortSignal,
  url: string,
): Promise<LogoAnswer> {
  const headers = { accept: "image/png, image/jpeg, image/webp", "user-agent": "Cauri" };
  try {
    return { kind: "answered", ...(await client.send({ url, method: "GET", headers, signal })) };
  } catch (error) {
    if (signal.aborted) return { kind: "given-up" };
    if (error instanceof EgressRefused) return { kind: "forbidden", reason: error.reason };
    return { kind: "failed", reason: error instanceof Error ? error.message : "unknown error" };
  }
}

/** Slow, bounded and unhurried: deletes what may be forgotten. */
export function startHousekeeping(logger: Logger, database: Database): NodeJS.Timeout {
  const tidy = async () => {
    for await (const company of eachCompany(database)) {
      while (await forgetIdempotencyKeys(database, company.id));
      while (await forgetDeliveries(database, company.id));
      while (await forgetCheckouts(database, company.id));
    }
    while (await forgetCodes(database));
  };
  const timer = setInterval(() => {
    tidy().catch((error: unknown) =>
      logger.warn({ err: error }, "housekeeping failed; it will be tried again"),
    );
  }, housekeepingEveryMs);
  timer.unref();
  return timer;
}
