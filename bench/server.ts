import type { Logger } from "pino";
import { startParts } from "../src/app.ts";
import { PaymentLinks } from "../src/charges/payment-links.ts";
import { chargeRoutes } from "../src/charges/routes.ts";
import { checkoutRoutes } from "../src/checkout/routes.ts";
import { Authenticator } from "../src/companies/authenticate.ts";
import { requireAuthentication } from "../src/companies/authentication-hook.ts";
import { type Config, readConfig } from "../src/config.ts";
import { OneTimeCodes } from "../src/customers/one-time-codes.ts";
import { Database } from "../src/database/database.ts";
import { Signals } from "../src/database/signals.ts";
import type { App } from "../src/http/server.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { createLogger } from "../src/kernel/logger.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import { watchBudgets } from "../src/messages/budget-watch.ts";
import { logMessenger } from "../src/messages/log-messenger.ts";
import { MessageBudget } from "../src/messages/message-budget.ts";
import { transferRoutes } from "../src/transfers/routes.ts";
import type { TransferLanes } from "../src/transfers/transfer-lanes.ts";
import { benchBox } from "./keys.ts";
import { NoDatabase, NoDatabaseForCharges, Remembering, Textbook } from "./stand-ins.ts";

/** What the server under test tells the bench: first where it listens, later the CPU it has used. */
export type ServerMessage =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "usage"; readonly cpuMs: number };

/**
 * The service under test, in a process of its own: the real parts, and beside the real routes the same
 * routes on two stand-ins. Runs until the bench goes away.
 */
export async function serveUnderTest(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger({ level: config.logLevel, fileDescriptor: 1 });
  const url = config.databaseUrl ?? "";
  const database = new Database({
    url,
    poolSize: config.databasePoolSize,
    statementTimeoutMs: config.databaseTimeoutMs,
  });
  const signals = new Signals(url, database);
  const parts = await startParts(config, logger, database, url, benchBox);
  await addContender(parts.app, "/bench/bare", config, database, signals, new NoDatabase(database));
  const memory = await addCollecting(parts.app, "/bench/bare", config, database, signals, logger);
  await addContender(
    parts.app,
    "/bench/textbook",
    config,
    database,
    signals,
    new Textbook(database),
  );
  await signals.start();

  process.on("message", () => tell({ kind: "usage", cpuMs: cpuMs() }));
  const isLeft = new Promise((resolve) => process.once("disconnect", resolve));
  tell({ kind: "listening", url: await parts.app.listen({ host: "127.0.0.1", port: 0 }) });
  await isLeft;
  await parts.app.close();
  await parts.stop();
  await signals.close();
  await memory.close();
  await database.close();
}

/** The service's own routes once more, under a prefix, behind the same authentication. */
async function addContender(
  app: App,
  prefix: string,
  config: Config,
  database: Database,
  signals: Signals,
  lanes: TransferLanes,
): Promise<void> {
  await app.register(
    async (scope: App) => {
      await requireAuthentication(scope, {
        authenticator: new Authenticator(database, signals),
        limits: { rateLimitPerSecond: config.rateLimitPerSecond },
        failuresPerMinute: config.authFailuresPerMinute,
        environment: "staging",
      });
      await transferRoutes(scope, { database, lanes });
    },
    { prefix },
  );
}

/** Charges and payment pages under a prefix, without the database. */
async function addCollecting(
  app: App,
  prefix: string,
  config: Config,
  database: Database,
  signals: Signals,
  logger: Logger,
): Promise<Database> {
  const memory = new Remembering({ url: config.databaseUrl ?? "", poolSize: 1 });
  const links = new PaymentLinks(benchBox.deriveKey("payment link"), config.publicUrl);
  const payments = {
    database: memory,
    policy: config,
    refundPartsMax: config.quotas.refundsPerChargeMax,
    outcomes: new Metrics().counter("unused", "unused"),
    onEvent: () => {},
  };
  await app.register(
    async (scope: App) => {
      await requireAuthentication(scope, {
        authenticator: new Authenticator(database, signals),
        limits: { rateLimitPerSecond: config.rateLimitPerSecond },
        failuresPerMinute: config.authFailuresPerMinute,
        environment: "staging",
      });
      const lanes = new NoDatabaseForCharges(database);
      await chargeRoutes(scope, {
        payments,
        lanes,
        links,
        isProduction: false,
      });
    },
    { prefix },
  );
  await app.register(
    async (scope: App) => {
      const messenger = logMessenger(logger);
      const metrics = new Metrics();
      const budget = new MessageBudget({
        database: memory,
        config,
        watch: watchBudgets(logger, metrics),
      });
      const common = { database: memory, box: benchBox, logger, metrics };
      const codes = new OneTimeCodes({ ...common, messenger, budget });
      await checkoutRoutes(scope, {
        settings: { ...config, isProduction: false },
        till: { payments, codes },
        clock: systemClock,
        links,
        wrongLinksPerMinute: 60,
        readLedgerKeys: async () => [],
      });
    },
    { prefix },
  );
  return memory;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function tell(message: ServerMessage): void {
  process.send?.(message);
}
