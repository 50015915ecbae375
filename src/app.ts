import { type Logger, pino } from "pino";
import { Authenticator } from "./companies/authenticate.ts";
import { requireAuthentication } from "./companies/authentication-hook.ts";
import { getActiveSubCompany } from "./companies/find-company.ts";
import { eachCompany } from "./companies/list-companies.ts";
import { companyRoutes, SubCompanySchema } from "./companies/routes.ts";
import { type Config, readConfig } from "./config.ts";
import { walletChecks } from "./customers/audit-wallets.ts";
import { customerRoutes } from "./customers/routes.ts";
import { Database } from "./database/database.ts";
import { isMigrated } from "./database/migrate.ts";
import { Signals } from "./database/signals.ts";
import { measureWork } from "./database/work.ts";
import { WorkHints } from "./database/work-hints.ts";
import { WorkLoop } from "./database/work-loop.ts";
import { forgetIdempotencyKeys } from "./http/forget-idempotency-keys.ts";
import { describeApi } from "./http/openapi.ts";
import { operationRoutes } from "./http/operation-routes.ts";
import { ErrorSchema } from "./http/schemas.ts";
import { type App, buildServer, collectRoutes, refuseOtherMethods } from "./http/server.ts";
import { systemClock } from "./kernel/clock.ts";
import { parsePublicId } from "./kernel/ids.ts";
import { Metrics } from "./kernel/metrics.ts";
import { ledgerChecks } from "./ledger/audit.ts";
import { transferChecks } from "./transfers/audit-transfers.ts";
import { transferRoutes } from "./transfers/routes.ts";
import { BatchSchema, BatchSummarySchema, TransactionSchema } from "./transfers/schemas.ts";
import { isLeftToSettle, settleCompany } from "./transfers/settle-transfers.ts";
import { SubmissionLanes } from "./transfers/submission-lanes.ts";

/** Everything the audit looks at, one list for the command line and for tests. */
export const auditChecks = [...ledgerChecks, ...walletChecks, ...transferChecks];

export const version = "0.1.0";

const settlePollMs = 500;
const settleConcurrency = 2;
const housekeepingEveryMs = 3_600_000;

export interface RunningParts {
  readonly app: App;
  /** Ends the workers and the listening connection; the HTTP server is closed by its owner first. */
  stop(): Promise<void>;
}

/** Puts the parts together: the only file that sees every folder. */
export async function startParts(
  config: Config,
  logger: Logger,
  database: Database,
  databaseUrl: string,
): Promise<RunningParts> {
  const metrics = new Metrics();
  const signals = new Signals(databaseUrl, database);
  const hints = new WorkHints(signals);
  const workers = config.roles.has("worker")
    ? [settler(config, logger, database, metrics, hints)]
    : [];
  const app = await buildApp(config, logger, database, signals, hints, metrics);

  await signals.start();
  for (const worker of workers) worker.start();
  const housekeeping = config.roles.has("worker") ? startHousekeeping(logger, database) : undefined;
  return {
    app,
    async stop() {
      clearInterval(housekeeping);
      await Promise.all(workers.map((worker) => worker.stop()));
      await signals.close();
    },
  };
}

function settler(
  config: Config,
  logger: Logger,
  database: Database,
  metrics: Metrics,
  hints: WorkHints,
): WorkLoop {
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
    pollMs: settlePollMs,
    work: (companyId) => settleCompany(settlement, companyId),
    isLeft: isLeftToSettle,
  });
  hints.wakeLocally("transfers", () => loop.wake());
  return loop;
}

async function buildApp(
  config: Config,
  logger: Logger,
  database: Database,
  signals: Signals,
  hints: WorkHints,
  metrics: Metrics,
): Promise<App> {
  const app = await buildServer({ ...config, logger, metrics });
  const publicRoutes = collectRoutes(app);
  await describeApi(app, { version, serverUrl: config.publicUrl });
  for (const schema of [
    ErrorSchema,
    SubCompanySchema,
    TransactionSchema,
    BatchSchema,
    BatchSummarySchema,
  ]) {
    app.addSchema(schema);
  }

  const depth = metrics.gauge("cauri_queue_companies", "Companies with work waiting, by queue.");
  const age = metrics.gauge(
    "cauri_queue_age_seconds",
    "How long the first of them has waited, by queue.",
  );
  const statements = metrics.gauge(
    "cauri_database_statements",
    "Statements sent to the database since the start.",
  );
  await operationRoutes(app, {
    metrics,
    findProblem: () => findProblem(database),
    measure: async () => {
      const work = await measureWork(database, "transfers");
      depth.set(work.depth, { queue: "transfers" });
      age.set(work.ageSeconds, { queue: "transfers" });
      statements.set(database.roundTrips);
    },
  });
  refuseOtherMethods(app, publicRoutes);
  if (!config.roles.has("api")) return app;

  const sizes = metrics.histogram(
    "cauri_submission_set_size",
    "Transfers that went to the database in one call.",
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000, 10_000],
  );
  const lanes = new SubmissionLanes(database, sizes, () => hints.hint("transfers"));
  await app.register(async (scope: App) => {
    const routes = collectRoutes(scope);
    await requireAuthentication(scope, {
      authenticator: new Authenticator(database, signals),
      rateLimitPerSecond: config.rateLimitPerSecond,
      failuresPerMinute: config.authFailuresPerMinute,
    });
    await transferRoutes(scope, { database, lanes, clock: systemClock });
    await customerRoutes(scope, {
      database,
      policy: config,
      checkSubCompany: async (companyId, subCompanyId) => {
        await getActiveSubCompany(database, companyId, parsePublicId("subco", subCompanyId));
      },
    });
    await companyRoutes(scope, {
      database,
      clock: systemClock,
      isProduction: config.environment === "production",
    });
    refuseOtherMethods(scope, routes);
  });
  return app;
}

/** docs/openapi.json: the document of a default installation. Made without touching a database. */
export async function describeApiDocument(): Promise<string> {
  const config = readConfig({ LOG_LEVEL: "silent" });
  const database = new Database({ url: "postgres://unused.invalid/none", poolSize: 1 });
  const signals = new Signals("", database);
  const app = await buildApp(
    config,
    pino({ level: "silent" }),
    database,
    signals,
    new WorkHints(signals),
    new Metrics(),
  );
  await app.ready();
  const document = JSON.stringify(app.swagger(), null, 2);
  await app.close();
  await database.close();
  return `${document}\n`;
}

async function findProblem(database: Database): Promise<string | undefined> {
  try {
    return (await isMigrated(database))
      ? undefined
      : "The database schema is not the one this version needs.";
  } catch {
    return "The database cannot be reached.";
  }
}

/** Slow, bounded and unhurried: deletes what may be forgotten. */
function startHousekeeping(logger: Logger, database: Database): NodeJS.Timeout {
  const tidy = async () => {
    for await (const company of eachCompany(database)) {
      while (await forgetIdempotencyKeys(database, company.id));
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
