import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** A process that is connected to the database: a node, one of its processes, or a command. */
export interface ConnectedProcess {
  readonly name: string;
  /** Null: over a socket of the same machine. */
  readonly address: string | null;
  readonly since: Date;
  readonly connections: number;
}

const processesMax = 100;

/** Who works with the database just now, as the database knows it. */
export async function readNodes(database: Database): Promise<ConnectedProcess[]> {
  return database.query<ConnectedProcess>(sql`
    select application_name as name, host(client_addr) as address, min(backend_start) as since,
      count(*)::integer as connections
    from pg_stat_activity
    where datname = current_database() and application_name like 'cauri:%'
    group by application_name, client_addr order by min(backend_start) limit ${processesMax}`);
}

export interface LockWaits {
  readonly waiters: number;
  /** For how long the first of them has waited. */
  readonly seconds: number;
}

/** Connections, of all nodes, that wait for a lock. */
export async function readLockWaits(database: Database): Promise<LockWaits> {
  const [row] = await database.query<LockWaits>(sql`
    select count(*)::integer as waiters,
      coalesce(max(extract(epoch from clock_timestamp() - state_change)), 0)::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return { waiters: row?.waiters ?? 0, seconds: Math.max(0, row?.seconds ?? 0) };
}
