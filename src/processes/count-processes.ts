import { type Config, connectionsLeast } from "../config.ts";

type Counted = Pick<Config, "processes" | "roles" | "databasePoolSize" | "databaseUrl">;

/**
 * How many processes answer requests. On its own a service leaves one core to the process that settles and notifies; with the
 * embedded PostgreSQL, half of them: a transfer costs the database about as much as the service. More processes than there are
 * connections for would only wait for each other.
 */
export function countProcesses(config: Counted, cores: number): number {
  if (!config.roles.has("api")) return 1;
  if (config.processes !== "auto") return config.processes;
  const toSpare = config.databaseUrl === undefined ? Math.floor(cores / 2) : cores - 1;
  return Math.max(1, Math.min(toSpare, Math.floor(config.databasePoolSize / connectionsLeast)));
}
