import type { Logger } from "pino";
import { carryOutCompany, nextCarryingOutMs, proposalQueue } from "./approvals/carry-out.ts";
import type { Desk } from "./approvals/desk.ts";
import { chargeQueue, expireCompany, nextExpiryMs } from "./charges/expire-charges.ts";
import type { Payments } from "./charges/payments.ts";
import { fetchLogos, logoQueue, nextLogoMs } from "./companies/fetch-logos.ts";
import { getCompany, placeOfCompany } from "./companies/find-company.ts";
import { type LogoAnswer, logoBytesMax } from "./companies/logo.ts";
import { readSecretBox } from "./companies/master-key.ts";
import { SigningSecrets } from "./companies/signing-secrets.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { Signals } from "./database/signals.ts";
import { EgressClient } from "./egress/client.ts";
import { EgressFailed, EgressRefused } from "./egress/errors.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Metrics } from "./kernel/metrics.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import { LeasedQueue, type LeasedQueueOptions, leaseMsFor } from "./queues/leased-queue.ts";
import type { WorkHints } from "./queues/work-hints.ts";
import { WorkLoop } from "./queues/work-loop.ts";
import type { SetMetrics } from "./set-metrics.ts";
import { sealCompany, sealQueue, waitingCompanies } from "./statements/keep-books.ts";
import type { LedgerKey } from "./statements/seal.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { findPending, settleCompany, transferQueue } from "./transfers/settle-transfers.ts";
import { transferPayloads } from "./transfers/tell-transfers.ts";
import { SettlementTraces } from "./transfers/trace-settlement.ts";
import { failureReasons } from "./transfers/transfer.ts";
import { Dispatcher, webhookDeletedChannel, webhookQueue } from "./webhooks/dispatcher.ts";
import { nextReplayMs, replayQueue, runReplays } from "./webhooks/run-replays.ts";

// Turns at the same time. Those that can wait for a lock are together fewer than the workers' connections (as many as
// DATABASE_POOL_SIZE says, ten by default): with every place taken by a company whose rows are held, the loops still
// look for work, renew leases and write down what was delivered. Fetching a logo holds no connection, and a replay waits for
// a lock no longer than a second.
const settleConcurrency = 3;
/** A set of a hundred transfers is settled with the locks and the flush to disk of one. */
const settleRestMs = 40;
const expireConcurrency = 2;
const deliveryConcurrency = 3;
const logoConcurrency = 4;
const carryOutConcurrency = 1;
const sealConcurrency = 1;
const replayConcurrency = 1;
const deliveryTimeoutMs = 10_000;
const deliveryResponseBytesMax = 16 * 1024;
const deliveriesPerEndpointMax = 8;
const logoTimeoutMs = 5_000;
/** A company asks for one URL once at a time. */
const logoConnectionsMax = 1;
/** Nobody waits for a logo: pages show initials until it is there. */
const logoPollMs = 2_000;
const quickPollMs = 500;
/** A day is sealed within a minute after midnight. */
const sealPollMs = 60_000;

/** What the parts have in common. */
export interface Shared {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly hints: WorkHints;
  readonly metrics: Metrics;
  /** Undefined: no traces are recorded. */
  readonly tracing: Tracing | undefined;
  readonly sets: SetMetrics;
}

export interface Worker {
  start(): void;
  stop(): Promise<void>;
}

/** A loop over one queue of the table `work`. */
function loopOver(
  { config, logger, database, hints }: Shared,
  concurrency: number,
  pollMs: number,
  work: Pick<LeasedQueueOptions, "queue" | "work" | "nextDueMs">,
): WorkLoop {
  const leaseMs = leaseMsFor(config.databaseTimeoutMs);
  const source = new LeasedQueue({ database, leaseMs, ...work });
  const loop = new WorkLoop({ logger, name: work.queue, source, concurrency, pollMs });
  hints.wakeLocally(work.queue, (companyId) => loop.wake(companyId));
  return loop;
}

/** Settles transfers. */
export function startSettling(parts: Shared): Worker {
  const { config, logger, database, clock, metrics, hints, tracing, sets } = parts;
  const settlement = {
    database,
    logger,
    policy: config,
    settled: metrics.counter(
      "cauri_transfers_settled_total",
      "Transfers settled, by outcome.",
      ["completed", ...failureReasons].map((outcome) => ({ outcome })),
    ),
    sizes: sets.settlementSizes,
    seconds: sets.seconds,
    traces: tracing && new SettlementTraces(database, clock, tracing),
  };
  const source = {
    find: (limit: number) => findPending(database, limit),
    async work(companyId: string, mayGoOn: () => boolean) {
      const dueMs = await settleCompany(settlement, companyId, mayGoOn);
      hints.hint(webhookQueue, companyId);
      return dueMs;
    },
  };
  const loop = new WorkLoop({
    logger,
    name: transferQueue,
    source,
    concurrency: settleConcurrency,
    pollMs: quickPollMs,
    restMs: settleRestMs,
  });
  hints.wakeLocally(transferQueue, (companyId) => loop.wake(companyId));
  return loop;
}

/** Drops charges whose time is over. */
export function startExpiring(parts: Shared, payments: Payments): Worker {
  return loopOver(parts, expireConcurrency, quickPollMs, {
    queue: chargeQueue,
    work: (companyId, mayGoOn) => expireCompany(payments, companyId, mayGoOn),
    nextDueMs: nextExpiryMs,
  });
}

/** Carries out what people have approved. */
export function startCarryingOut(parts: Shared, desk: Desk): Worker {
  return loopOver(parts, carryOutConcurrency, quickPollMs, {
    queue: proposalQueue,
    work: (companyId, mayGoOn) => carryOutCompany(desk, companyId, mayGoOn),
    nextDueMs: nextCarryingOutMs,
  });
}

/** Sends notifications. */
export function startDispatching(parts: Shared, box: SecretBox): Worker {
  const { config, logger, database, clock, signals, metrics, hints, tracing } = parts;
  const client = new EgressClient({
    policy: config,
    timeoutMs: deliveryTimeoutMs,
    responseBytesMax: deliveryResponseBytesMax,
    connectionsMax: deliveriesPerEndpointMax,
  });
  const secrets = new SigningSecrets(database, signals, box, () => readSecretBox(config));
  const dispatcher = new Dispatcher({
    database,
    logger,
    clock,
    client,
    brand: config.brand,
    tracing,
    secretsOf: (companyId) => secrets.of(companyId),
    payloadsOf: (companyId, events) => transferPayloads(database, companyId, events),
    inFlightPerEndpoint: deliveriesPerEndpointMax,
    onMore: (companyId) => hints.hint(webhookQueue, companyId),
    outcomes: metrics.counter(
      "cauri_delivery_attempts_total",
      "Attempts to deliver a notification, by outcome.",
      ["delivered", "retry", "failed", "gone"].map((outcome) => ({ outcome })),
    ),
    seconds: metrics.histogram(
      "cauri_delivery_attempt_seconds",
      "How long an attempt took.",
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ),
  });
  const loop = new WorkLoop({
    logger,
    name: webhookQueue,
    source: dispatcher,
    concurrency: deliveryConcurrency,
    pollMs: quickPollMs,
  });
  hints.wakeLocally(webhookQueue, (companyId) => loop.wake(companyId));
  signals.on(webhookDeletedChannel, (webhookId) => dispatcher.forget(webhookId));
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await dispatcher.stop();
    },
  };
}

/** Sends again what people have asked for, part by part. */
export function startReplaying(parts: Shared): Worker {
  const { database, hints } = parts;
  return loopOver(parts, replayConcurrency, quickPollMs, {
    queue: replayQueue,
    work: (companyId, mayGoOn) =>
      runReplays(database, companyId, mayGoOn, () => hints.hint(webhookQueue, companyId)),
    nextDueMs: nextReplayMs,
  });
}

/** Fetches logos, through the same guard as notifications: others have chosen their addresses too. */
export function startFetchingLogos(parts: Shared): Worker {
  const { config, logger, database } = parts;
  const client = new EgressClient({
    policy: config,
    timeoutMs: logoTimeoutMs,
    responseBytesMax: logoBytesMax,
    connectionsMax: logoConnectionsMax,
  });
  const fetching = {
    database,
    logger,
    ask: (companyId: string, url: string) => askForLogo(client, companyId, url),
  };
  const loop = loopOver(parts, logoConcurrency, logoPollMs, {
    queue: logoQueue,
    work: (companyId) => fetchLogos(fetching, companyId),
    nextDueMs: nextLogoMs,
  });
  return {
    start: () => loop.start(),
    async stop() {
      await client.close(0);
      await loop.stop();
    },
  };
}

async function askForLogo(client: EgressClient, owner: string, url: string): Promise<LogoAnswer> {
  const headers = { accept: "image/png, image/jpeg, image/webp", "user-agent": "Cauri" };
  try {
    return { kind: "answered", ...(await client.send({ url, owner, method: "GET", headers })) };
  } catch (error) {
    if (error instanceof EgressFailed && error.code === "stopped") return { kind: "given-up" };
    if (error instanceof EgressRefused) return { kind: "forbidden", reason: error.reason };
    return { kind: "failed", reason: error instanceof Error ? error.message : "unknown error" };
  }
}

/** Seals days that are over, and keeps the sums of statements. */
export function startSealing({ config, logger, database, hints }: Shared, key: LedgerKey): Worker {
  const sealing = {
    database,
    logger,
    key,
    timeZoneOf: async (companyId: string) =>
      placeOfCompany(await getCompany(database, companyId), config.country).timeZone,
    onEvent: (companyId: string) => hints.hint(webhookQueue, companyId),
  };
  const source = {
    find: (limit: number) => waitingCompanies(sealing, limit),
    work: (companyId: string, mayGoOn: () => boolean) => sealCompany(sealing, companyId, mayGoOn),
  };
  return new WorkLoop({
    logger,
    name: sealQueue,
    source,
    concurrency: sealConcurrency,
    pollMs: sealPollMs,
  });
}
