import type { RunPostgres } from "./run-postgres.ts";

/** Looks at a turn while its load runs. */
export interface Watcher {
  /** What the service's Node.js is started with. */
  readonly nodeOptions: readonly string[];
  start(postgres: RunPostgres, database: string): Promise<void>;
  /** The load has ended, and the service still runs. */
  stop(): Promise<void>;
  /** The service has ended. */
  end(): Promise<void>;
  /** What was seen, to be read by people. */
  describe(): string;
}
