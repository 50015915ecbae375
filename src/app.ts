import type { Logger } from "pino";
import { ChargeLanes } from "./charges/charge-lanes.ts";
import { PaymentLinks } from "./charges/payment-links.ts";
import type { Payments } from "./charges/payments.ts";
import { chargeRoutes } from "./charges/routes.ts";
import { chargeSchemas } from "./charges/schemas.ts";
import { checkoutRoutes, pagePrefixes } from "./checkout/routes.ts";
import { Authenticator } from "./companies/authenticate.ts";
import { requireAuthentication } from "./companies/authentication-hook.ts";
import { companyRoute } from "./companies/company-route.ts";
import { logoQueue } from "./companies/fetch-logos.ts";
import { getActiveSubCompany, readSubCompanyId } from "./companies/find-company.ts";
import { KeyUses } from "./companies/key-uses.ts";
import { companyRoutes, SubCompanySchema } from "./companies/routes.ts";
import type { Config } from "./config.ts";
import { consolePrefix, consoleRoutes } from "./console/routes.ts";
import { OneTimeCodes } from "./customers/one-time-codes.ts";
import { customerRoutes } from "./customers/routes.ts";
import { findSchemaTrouble } from "./database/check-schema.ts";
import { CommitProbe } from "./database/commit-probe.ts";
import type { Database } from "./database/database.ts";
import { DatabaseClock } from "./database/database-clock.ts";
import { watchNodes } from "./database/node-watch.ts";
import { Signals } from "./database/signals.ts";
import { metricsReader } from "./gauges.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { compressLarge } from "./http/compress-answers.ts";
import { nameIgnoredFields } from "./http/ignored-fields.ts";
import { describeApi } from "./http/openapi.ts";
import { operationRoutes } from "./http/operation-routes.ts";
import { collectRoutes, refuseOtherMethods, refuseTheRest } from "./http/other-methods.ts";
import { refuseUnknownParameters } from "./http/refuse-unknown-parameters.ts";
import { ErrorSchema } from "./http/schemas.ts";
import { type App, buildServer } from "./http/server.ts";
import { type Family, Metrics } from "./kernel/metrics.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import { ClockWatch } from "./ledger/clock-watch.ts";
import { watchBudgets } from "./messages/budget-watch.ts";
import { MessageBudget } from "./messages/message-budget.ts";
import { openMessenger } from "./messages/open-messenger.ts";
import { acceptedHints, deskOf, paymentsOf, recipientLimitOf } from "./open-desk.ts";
import { openTestSender } from "./open-test-sender.ts";
import { BannerBoard } from "./operations/banner-board.ts";
import { basePathOf } from "./pages/page-settings.ts";
import type { Together } from "./processes/together.ts";
import { WorkHints } from "./queues/work-hints.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { RequestLog } from "./requests/request-log.ts";
import { SetMetrics } from "./set-metrics.ts";
import { exportRoutes } from "./statements/export/routes.ts";
import { StatementExports } from "./statements/export/statement-exports.ts";
import { openSealingKey } from "./statements/keep-books.ts";
import { ledgerKeyIn, listLedgerKeys } from "./statements/ledger-key.ts";
import { ledgerKeyRoutes, statementRoutes } from "./statements/routes.ts";
import { statementSchemas } from "./statements/schemas.ts";
import { lookupRoute } from "./transfers/lookup-route.ts";
import { transferRoutes } from "./transfers/routes.ts";
import { transferSchemas } from "./transfers/schemas.ts";
import { transferPayloads } from "./transfers/tell-transfers.ts";
import { TransferLanes } from "./transfers/transfer-lanes.ts";
import { describeNotifications } from "./webhooks/describe-notifications.ts";
import { webhookDeletedChannel, webhookQueue } from "./webhooks/dispatcher.ts";
import { EventsSchema, eventRoutes } from "./webhooks/event-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { webhookSchemas } from "./webhooks/schemas.ts";
import {
  type Shared,
  startCarryingOut,
  startDispatching,
  startExpiring,
  startFetchingLogos,
  startReplaying,
  startSealing,
  startSettling,
} from "./workers.ts";

export interface RunningParts {
  readonly app: App;
  /** What this process has counted. */
  readMetrics(): readonly Family[];
  /** Ends the workers and the listening connection; the HTTP server is closed by its owner first. */
  stop(): Promise<void>;
}

/** Puts the parts together: the only file that sees every folder. */
export async function startParts(
  config: Config,
  logger: Logger,
  database: Database,
  databaseUrl: string,
  box: SecretBox,
  together?: Together,
): Promise<RunningParts> {
  const metrics = new Metrics();
  const signals = new Signals(databaseUrl, database);
  const hints = new WorkHints(signals, together?.passOn);
  together?.onHint((queue, companyIds) => hints.hear(queue, companyIds));
  const clock = new DatabaseClock(database, new ClockWatch(database, logger, metrics));
  // Loaded only where it is wanted.
  const tracing =
    config.tracing &&
    (await import("./tracing/open-tracing.ts")).openTracing(config.tracing, {
      logger,
      metrics,
      signals,
    });
  const sets = new SetMetrics(metrics);
  const shared = { config, logger, database, clock: clock.now, signals, hints, metrics };
  const parts = { ...shared, tracing, sets };
  const payments = paymentsOf(parts);
  const atWork = { ...parts, database: database.fork() };
  const ledgerKey = await openSealingKey(logger, database, box);
  const workers = [
    ...(config.roles.has("worker")
      ? [
          startSettling(atWork),
          startExpiring(atWork, { ...payments, database: atWork.database }),
          startCarryingOut(atWork, deskOf(atWork, { ...payments, database: atWork.database })),
          startReplaying(atWork),
          startFetchingLogos(atWork),
          startSealing(atWork, ledgerKey),
        ]
      : []),
    ...(config.roles.has("webhooks") ? [startDispatching(atWork, box)] : []),
  ];
  const app = await buildApp(parts, payments, box, together);

  const nodes = await watchNodes(database, databaseUrl);
  await clock.start();
  await signals.start();
  for (const worker of workers) worker.start();
  const housekeeping = config.roles.has("worker")
    ? startHousekeeping(logger, atWork.database)
    : undefined;
  return {
    app,
    readMetrics: () => metrics.families(),
    async stop() {
      housekeeping?.stop();
      clock.stop();
      nodes.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await atWork.database.close();
      await signals.close();
      await tracing?.stop();
    },
  };
}

export async function buildApp(
  { config, logger, database, clock, signals, hints, metrics, tracing, sets }: Shared,
  payments: Payments,
  box: SecretBox,
  together?: Together,
): Promise<App> {
  const probe = new CommitProbe(database);
  const app = await buildServer({
    ...config,
    logger,
    metrics,
    pagePrefixes: [...pagePrefixes, consolePrefix],
    isDatabaseWaiting: () => probe.isHanging,
    tracer: tracing?.tracer,
  });
  const publicRoutes = collectRoutes(app);
  await describeApi(app, {
    serverUrl: config.publicUrl,
    webhooks: describeNotifications(config.brand),
  });
  for (const schema of [
    ErrorSchema,
    SubCompanySchema,
    ...transferSchemas,
    ...chargeSchemas,
    ...statementSchemas,
    ...webhookSchemas,
    EventsSchema,
  ]) {
    app.addSchema(schema);
  }

  await operationRoutes(app, {
    findTrouble: () => probe.findTroubleSoon(() => findSchemaTrouble(database)),
    readMetrics: metricsReader(database, metrics, config, probe, together),
    metricsToken: config.metricsToken,
    environment: config.environment,
  });
  const ledgerKey = ledgerKeyIn(box);
  if (config.roles.has("api")) await ledgerKeyRoutes(app, { database, key: ledgerKey });
  refuseOtherMethods(app, publicRoutes);
  if (!config.roles.has("api")) return app;

  const limit = recipientLimitOf(config);
  const lanes = new TransferLanes(database, limit, sets.transferSizes, acceptedHints(hints), {
    tracing,
    times: sets.timesOf("transfers"),
  });
  const chargeLanes = new ChargeLanes(database, config.chargeLifetimeSeconds, sets.chargeSizes, {
    tracing,
    times: sets.timesOf("charges"),
  });
  const exports = new StatementExports({ ...config, database, key: ledgerKey });
  // Only a hint: what is cancelled in the database decides nothing more, whoever still sends it.
  const tellDeleted = (webhookId: string) =>
    signals.send(webhookDeletedChannel, webhookId).catch(() => {});
  const links = new PaymentLinks(box.deriveKey("payment link"), config.publicUrl);
  const uses = new KeyUses(database, clock, logger);
  const log = new RequestLog(database, logger, metrics);
  app.addHook("onClose", () => Promise.all([uses.close(), log.close()]));
  await app.register(async (scope: App) => {
    const routes = collectRoutes(scope);
    await requireAuthentication(scope, {
      authenticator: new Authenticator(database, signals, (id, key) => uses.note(id, key)),
      limits: config,
      countOne: together?.countOne,
      failuresPerMinute: config.authFailuresPerMinute,
      environment: config.environment,
    });
    log.listen(scope);
    refuseUnknownParameters(scope);
    nameIgnoredFields(scope);
    scope.addHook("onSend", compressLarge);
    await transferRoutes(scope, { database, lanes });
    await lookupRoute(scope, { database });
    await companyRoute(scope, config);
    await chargeRoutes(scope, {
      payments,
      lanes: chargeLanes,
      links,
      isProduction: config.environment === "production",
    });
    await customerRoutes(scope, {
      database,
      policy: config,
      checksPerMinute: config.quotas.customerChecksPerMinute,
      checkSubCompany: async (companyId, subCompanyId) => {
        await getActiveSubCompany(database, companyId, readSubCompanyId(subCompanyId) ?? undefined);
      },
    });
    await companyRoutes(scope, {
      database,
      clock,
      isProduction: config.environment === "production",
      quotas: config.quotas,
      hint: (companyId) => hints.hint(logoQueue, companyId),
    });
    await statementRoutes(scope, { ...config, database, key: ledgerKey });
    await exportRoutes(scope, exports);
    await webhookRoutes(scope, {
      database,
      policy: config,
      webhooksMax: config.quotas.webhooksMax,
      hint: (companyId) => hints.hint(webhookQueue, companyId),
      tellDeleted,
    });
    await eventRoutes(scope, {
      database,
      metrics,
      payloadsOf: (companyId, events) => transferPayloads(database, companyId, events),
    });
    refuseOtherMethods(scope, routes);
    // Under /v1 the token comes before everything else, also before "there is nothing here".
    refuseTheRest(scope, "/v1/*");
    app.suggestAddresses(routes.keys());
  });
  const settings = { ...config, isProduction: config.environment === "production" };
  await app.register(async (scope: App) => {
    const money = { payments, links, transferLanes: lanes, chargeLanes };
    const desk = deskOf({ config, database, hints }, payments);
    const hint = (queue: string, companyId: string) => hints.hint(queue, companyId);
    const sender = openTestSender({ config, database, clock, signals }, box);
    scope.addHook("onClose", () => sender.client.close(0));
    const shared = { settings, config, database, clock, signals, box };
    const told = { sender, tellDeleted, board: new BannerBoard(database) };
    await consoleRoutes(scope, { ...shared, ...money, ...told, desk, exports, hint });
  });
  await app.register(async (scope: App) => {
    const messenger = openMessenger(config, logger);
    const budget = new MessageBudget({ database, config, watch: watchBudgets(logger, metrics) });
    const codes = new OneTimeCodes({ database, box, messenger, budget, logger, metrics });
    await checkoutRoutes(scope, {
      settings,
      till: { payments, codes },
      clock,
      links,
      wrongLinksPerMinute: config.authFailuresPerMinute,
      readLedgerKeys: () => listLedgerKeys(database, ledgerKey),
    });
  });
  await app.register((scope: App) =>
    referenceRoutes(scope, {
      brand: config.brand,
      basePath: basePathOf(config),
      testMsisdns: config.testMsisdns,
      readDocument: () => app.swagger(),
    }),
  );
  return app;
}
