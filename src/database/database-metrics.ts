import type { Metrics } from "../kernel/metrics.ts";
import { awayNodesOf } from "./away-nodes.ts";
import type { Database } from "./database.ts";
import { type DurabilityValues, durabilityColumns } from "./durability.ts";
import { readLockWaits } from "./read-nodes.ts";
import { sql } from "./sql.ts";

/** What /metrics shows of the database. */
export interface DatabaseMetrics {
  /** What this process knows by itself. */
  readonly look: () => void;
  /** What the database has to be asked for. */
  readonly ask: () => Promise<void>;
}

/** `asked`: where that goes which the database has to be asked for. */
export function databaseMetrics(
  database: Database,
  metrics: Metrics,
  asked: Metrics,
): DatabaseMetrics {
  const statements = metrics.counter(
    "cauri_database_statements_total",
    "Statements sent to the database.",
  );
  const connections = metrics.gauge(
    "cauri_database_connections",
    "Connections to the database, by pool and state.",
    "sum",
  );
  const connectionsMax = metrics.gauge(
    "cauri_database_connections_max",
    "As many as a pool may open.",
    "sum",
  );
  const connectionWaiters = metrics.gauge(
    "cauri_database_connection_waiters",
    "Who waits for a connection of a pool to become free.",
    "sum",
  );
  const timeline = metrics.gauge(
    "cauri_database_timeline",
    "The newest timeline of the database that was seen; each promotion of a standby begins one.",
    "highest",
  );
  const refused = metrics.gauge(
    "cauri_database_servers_refused",
    "Servers of DATABASE_URL that could not be used when they were last tried.",
    "highest",
  );
  const leftBehind = metrics.gauge(
    "cauri_database_left_behind",
    "1 while a server takes writes that must not: it went back in time, or belongs to another database.",
    "highest",
  );
  const notDurable = metrics.gauge(
    "cauri_database_not_durable",
    "1 while the database lacks a setting without which it may lose what it has acknowledged, by setting.",
    "highest",
  );
  const away = metrics.gauge(
    "cauri_database_nodes_away",
    "Nodes of a database that is split which do not answer; what concerns their companies is missing here.",
    "highest",
  );
  const lockWaiters = asked.gauge(
    "cauri_database_lock_waiters",
    "Connections to the database that wait for a lock, of all nodes.",
    "same",
  );
  const lockWait = asked.gauge(
    "cauri_database_lock_wait_seconds",
    "For how long the first of them has waited.",
    "same",
  );
  let counted = 0;
  return {
    look() {
      statements.add({}, database.roundTrips - counted);
      counted = database.roundTrips;
      for (const [place, { inUse, idle, waiting, max }] of database.connections.entries()) {
        const pool = place === 0 ? "requests" : "workers";
        connections.set(inUse, { pool, state: "in_use" });
        connections.set(idle, { pool, state: "idle" });
        connectionsMax.set(max, { pool });
        connectionWaiters.set(waiting, { pool });
      }
      const { timelines, servers, durability } = database;
      timeline.set(timelines.newest ?? 0);
      refused.set(servers.problems.length);
      leftBehind.set(servers.hasLeftBehind ? 1 : 0);
      for (const setting of durability.watched)
        notDurable.set(durability.lacking.includes(setting) ? 1 : 0, { setting });
      away.set(awayNodesOf(database).count);
    },
    async ask() {
      const { waiters, seconds } = await readLockWaits(database);
      lockWaiters.set(waiters);
      lockWait.set(seconds);
      // A server takes most of these settings over while it runs, without anybody's connecting anew.
      const [values] = await database.query<DurabilityValues>(sql`select ${durabilityColumns}`);
      if (values !== undefined) database.durability.see(values, database.servers.count);
    },
  };
}
