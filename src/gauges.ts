import { monitorEventLoopDelay } from "node:perf_hooks";
import { chargeQueue } from "./charges/expire-charges.ts";
import { logoQueue } from "./companies/fetch-logos.ts";
import { Database } from "./database/database.ts";
import { Metrics, textOf } from "./kernel/metrics.ts";
import type { Together } from "./processes/together.ts";
import { measurePending } from "./transfers/settle-transfers.ts";
import { measureDeliveries, measureTelling } from "./webhooks/measure-deliveries.ts";
import { queueGauges } from "./work/queue-gauges.ts";

/** Reads everything for /metrics: what this process has, and with others on this node, what they have together. */
export function metricsReader(
  database: Database,
  metrics: Metrics,
  together: Together | undefined,
): () => Promise<string> {
  const measures = gauges(database, metrics);
  const measureOwn = () => {
    measures.ofProcess();
    return metrics.families();
  };
  together?.onMetricsAsked(measureOwn);
  return async () => {
    await measures.ofDatabase();
    const own = measureOwn();
    return textOf((await together?.gatherMetrics(own)) ?? own);
  };
}

/** Bring the gauges up to date; called right before they are read. */
interface Measures {
  /** What only the database knows. */
  readonly ofDatabase: () => Promise<void>;
  /** What each process has of its own. */
  readonly ofProcess: () => void;
}

function gauges(database: Database, metrics: Metrics): Measures {
  const measureQueues = queueGauges(
    database,
    metrics,
    [chargeQueue, logoQueue],
    [() => measurePending(database), () => measureTelling(database)],
  );
  const statements = metrics.gauge(
    "cauri_database_statements",
    "Statements sent to the database since the start.",
    "sum",
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
  const loopDelay = metrics.gauge(
    "cauri_event_loop_delay_max_seconds",
    "The longest that the event loop was held up since the last time this was read.",
    "highest",
  );
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const breakers = metrics.gauge(
    "cauri_endpoints_open",
    "Endpoints whose circuit breaker is open.",
    "same",
  );
  const ofDatabase = async () => {
    await measureQueues();
    const measures = await measureDeliveries(database);
    for (const status of ["pending", "blocked"] as const) {
      const waiting = measures.waiting.find((one) => one.status === status);
      deliveries.set(waiting?.count ?? 0, { status });
      deliveryAge.set(waiting?.ageSeconds ?? 0, { status });
    }
    breakers.set(measures.openBreakers);
  };
  const ofProcess = () => {
    statements.set(database.roundTrips);
    loopDelay.set(loop.max / 1e9);
    loop.reset();
  };
  return { ofDatabase, ofProcess };
}
