import { NotTheCoordinator } from "./errors.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./tx.ts";

/** A node of Citus that holds rows. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
  /** Undefined: it answers. */
  readonly problem: string | undefined;
}

/** How the database stands to Citus: it is no node of it, a coordinator with everything still at hand, or split. */
export type ClusterState = "alone" | "whole" | "sharded";

export async function readClusterState(database: Queryable): Promise<ClusterState> {
  if (!(await hasCitus(database))) return "alone";
  const distributed = await database.query(sql`
    select 1 from pg_dist_partition where logicalrelid = to_regclass('public.companies') limit 1`);
  return distributed.length > 0 ? "sharded" : "whole";
}

/** The nodes that rows go to, each asked whether it is there. */
export async function readNodes(database: Queryable): Promise<ClusterNode[]> {
  const nodes: ClusterNode[] = [];
  for (const { host, port, is_active } of await nodesWithRows(database)) {
    const problem = !is_active
      ? "was disabled"
      : (await isNodeWell(database, host, port))
        ? undefined
        : "cannot be reached from the coordinator";
    nodes.push({ host, port, problem });
  }
  return nodes;
}

interface RowNode {
  readonly host: string;
  readonly port: number;
  readonly is_active: boolean;
  readonly is_coordinator: boolean;
}

export async function nodesWithRows(database: Queryable): Promise<RowNode[]> {
  return database.query<RowNode>(sql`
    select nodename as host, nodeport as port, isactive as is_active, groupid = 0 as is_coordinator from pg_dist_node
    where noderole = 'primary' and shouldhaveshards order by nodeid`);
}

/** Whether a node answers the coordinator. One that hangs keeps this waiting. */
export async function isNodeWell(
  database: Queryable,
  host: string,
  port: number,
): Promise<boolean> {
  const rows = await database.query<{ is_well: boolean }>(sql`
    select citus_check_connection_to_node(${host}, ${port}) as is_well`);
  return rows[0]?.is_well === true;
}

/** Throws where this connection is to another node than the one that plans: the others refuse what changes the schema. */
export async function refuseWorker(database: Queryable): Promise<void> {
  if (!(await hasCitus(database))) return;
  const rows = await database.query<{ is_coordinator: boolean }>(sql`
    select groupid = 0 as is_coordinator from pg_dist_local_group`);
  if (rows[0]?.is_coordinator !== true) throw new NotTheCoordinator();
}

/** A sentence about this Citus that whoever runs it has to know; undefined: nothing is known of it. */
export async function findCitusDefect(database: Queryable): Promise<string | undefined> {
  if (!(await hasCitus(database))) return undefined;
  const rows = await database.query<{ version: string }>(sql`select citus_version() as version`);
  return defectOfCitus(rows[0]?.version ?? "");
}

/** A connection to such a Citus has cost its nodes about 90 MB by then. */
export const connectionUsesWithDefect = 1_000;

/** Looked up in their sources. One that deploy/citus/build has mended says so in its version. */
const releasesKeepingPlans = new Set(["12.1.12", "13.2.1", "13.2.2", "14.0.0", "14.0.1"]);

export function defectOfCitus(version: string): string | undefined {
  const release = /^Citus (\S+) on /.exec(version)?.[1] ?? "";
  if (!releasesKeepingPlans.has(release)) return undefined;
  return `Citus ${release} keeps a plan for every call of a function until the connection ends, so connections are renewed after ${connectionUsesWithDefect} uses: its nodes would run out of memory. Install a release in which that is mended (citusdata/citus#8824), or build this one with deploy/citus/build.`;
}

async function hasCitus(database: Queryable): Promise<boolean> {
  const rows = await database.query<{ is_there: boolean }>(sql`
    select exists (select 1 from pg_extension where extname = 'citus') as is_there`);
  return rows[0]?.is_there === true;
}
