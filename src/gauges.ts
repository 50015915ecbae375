import { setTimeout as sleep } from "node:timers/promises";
import { chargeQueue } from "./charges/expire-charges.ts";
import { logoQueue } from "./companies/fetch-logos.ts";
import type { Config } from "./config.ts";
import type { CommitProbe } from "./database/commit-probe.ts";
import type { Database } from "./database/database.ts";
import { databaseMetrics } from "./database/database-metrics.ts";
import { serverMetrics } from "./database/server-metrics.ts";
import { Metrics, textOf } from "./kernel/metrics.ts";
import { processMetrics } from "./kernel/process-metrics.ts";
import { sharedAnswer } from "./kernel/shared-answer.ts";
import { auditGauges } from "./ledger/record-audit.ts";
import { measureBudgets } from "./messages/measure-budgets.ts";
import type { Together } from "./processes/together.ts";
import { queueGauges } from "./queues/queue-gauges.ts";
import { measurePending } from "./transfers/settle-transfers.ts";
import { measureDeliveries, measureTelling } from "./webhooks/measure-deliveries.ts";

/** However often anybody asks, the database is asked no more often than this. */
const measuredEveryMs = 2_000;
/** Whoever collects metrics gives up after ten seconds, and then knows nothing of this node at all. */
const patienceMs = 3_000;

type Budgets = Pick<Config, "messageBudgets" | "messageCountries">;

/**
 * Reads everything for /metrics: what this process has, what others of this node have with it, and what the database has to be
 * asked for. It never fails: while the database is away, what it would have said is missing.
 */
export function metricsReader(
  database: Database,
  metrics: Metrics,
  budgets: Budgets,
  probe: Pick<CommitProbe, "findTrouble">,
  together: Together | undefined,
): () => Promise<string> {
  const asked = new Metrics();
  const measureProcess = processMetrics(metrics);
  const ofDatabase = databaseMetrics(database, metrics, asked);
  const isUp = asked.gauge(
    "cauri_database_up",
    "1 when the database committed within three seconds, as /readyz has it; what it is asked for and does not answer is missing here.",
    "same",
  );
  const measureOwn = () => {
    measureProcess();
    ofDatabase.look();
    return metrics.families();
  };
  together?.onMetricsAsked(measureOwn);
  // Its gauges are this process's own: a difference that was found stays on show while the database is away.
  const measureAudits = auditGauges(database, metrics);
  const measures = [
    ofDatabase.ask,
    serverMetrics(database, asked),
    measureAudits,
    ...measuresOf(database, asked, budgets),
  ];
  const ask = sharedAnswer(async () => {
    for (const measure of measures) await measure();
  }, measuredEveryMs);
  const hasAnswered = () =>
    ask().then(
      () => true,
      () => false,
    );
  return async () => {
    const late = sleep(patienceMs, false, { ref: false });
    const commits = probe.findTrouble().then((trouble) => trouble === undefined);
    // The same that /readyz says: a node of a database that is split, or one statement, may be slow beside it.
    const [isThere, isWell] = await Promise.all([
      Promise.race([hasAnswered(), late]),
      Promise.race([commits, late]),
    ]);
    isUp.set(isWell ? 1 : 0);
    const own = measureOwn();
    const ofNode = (await together?.gatherMetrics(own)) ?? own;
    const ofAll = asked.families().filter(({ name }) => isThere || name === "cauri_database_up");
    return textOf([...ofNode, ...ofAll]);
  };
}

/** What has to be asked for, each by statements that stay small however much there is. */
function measuresOf(
  database: Database,
  metrics: Metrics,
  config: Budgets,
): (() => Promise<void>)[] {
  const inFlight = metrics.gauge(
    "cauri_money_in_flight_francs",
    "Amounts and fees of transfers that have not ended.",
    "same",
  );
  const budgets = metrics.gauge(
    "cauri_message_budget_used_ratio",
    "What is used of a budget of messages, by scope and span.",
    "same",
  );
  const deliveries = metrics.gauge(
    "cauri_deliveries_waiting",
    "Deliveries not finished, by status.",
    "same",
  );
  const deliveryAge = metrics.gauge(
    "cauri_deliveries_age_seconds",
    "Age of the oldest of them, by status.",
    "same",
  );
  const breakers = metrics.gauge(
    "cauri_endpoints_open",
    "Endpoints whose circuit breaker is open.",
    "same",
  );
  const measureTransfers = async () => {
    const { inFlightFrancs, ...queue } = await measurePending(database);
    inFlight.set(inFlightFrancs);
    return queue;
  };
  const queues = [chargeQueue, logoQueue];
  return [
    queueGauges(database, metrics, queues, [measureTransfers, () => measureTelling(database)]),
    async () => {
      const { waiting, openBreakers } = await measureDeliveries(database);
      for (const status of ["pending", "blocked"] as const) {
        const one = waiting.find((measured) => measured.status === status);
        deliveries.set(one?.count ?? 0, { status });
        deliveryAge.set(one?.ageSeconds ?? 0, { status });
      }
      breakers.set(openBreakers);
    },
    async () => {
      for (const { scope, span, used } of await measureBudgets(database, config))
        budgets.set(used, { scope, span });
    },
  ];
}
