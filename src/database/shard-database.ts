import { readClusterState, readNodes, refuseWorker } from "./cluster.ts";
import type { Table } from "./copy-tables.ts";
import type { Database, Queryable, Tx } from "./database.ts";
import {
  distributeFunctions,
  distributeTables,
  findUndistributed,
  prepareToDistribute,
  selectClassified,
} from "./distribute.ts";
import {
  AlreadySharded,
  DatabaseServed,
  NodesMissing,
  NotACluster,
  ShardingFailed,
  ShardingNotAllowed,
  sqlState,
} from "./errors.ts";
import { migrationLock } from "./migrate.ts";
import { isServed } from "./restore-mark.ts";
import { sql } from "./sql.ts";
import { groupOf } from "./table-groups.ts";

export interface ShardOptions {
  /** In how many parts the companies are divided, for good; a part is what moves to another node. */
  readonly shards: number;
  /** Told how many rows are in their place, of how many. */
  readonly tell: (done: number, total: number) => void;
}

export interface Sharded {
  readonly nodes: readonly string[];
  readonly tables: number;
  readonly functions: number;
  readonly rows: number;
}

/** As many as there are nodes before the coordinator is the limit. Each makes a set of transfers dearer: docs/decisions/0136-eight-parts.md. */
export const shardsDefault = 8;
const lockWaitMs = 5_000;
const lockNotAvailable = "55P03";

/**
 * Splits a database by company over the nodes of its Citus, with all rows, in one transaction: it is done or nothing
 * was changed. What it needs is looked at before anything is.
 */
export async function shardDatabase(database: Database, options: ShardOptions): Promise<Sharded> {
  const state = await readClusterState(database);
  if (state === "alone") throw new NotACluster();
  if (state === "sharded") throw new AlreadySharded();
  const nodes = await findNodes(database);
  await refuseUnprivileged(database);
  try {
    return await database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
      if (await isServed(tx)) throw new DatabaseServed();
      const tables = await selectClassified(tx);
      await keepWritersOut(tx, tables);
      const before = await countRows(tx, tables);
      await tx.query(sql`select set_config('citus.shard_count', ${String(options.shards)}, true)`);
      await prepareToDistribute(tx);
      const total = sumOf(before);
      let done = 0;
      for (const table of tables) {
        await distributeTables(tx, [table]);
        done += before.get(table.name) ?? 0;
        options.tell(done, total);
      }
      const { functions } = await findUndistributed(tx);
      await distributeFunctions(tx, functions);
      await dropLocalRows(tx, tables);
      await setUpPlanner(tx);
      await verify(tx, tables, before);
      return { nodes, tables: tables.length, functions: functions.length, rows: total };
    });
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) throw new DatabaseServed({ cause: error });
    throw error;
  }
}

async function findNodes(database: Queryable): Promise<string[]> {
  await refuseWorker(database);
  const nodes = await readNodes(database);
  const problems = nodes.flatMap(({ host, port, problem }) =>
    problem === undefined ? [] : [`${host}:${port} ${problem}`],
  );
  if (nodes.length === 0) problems.push("no node may have rows");
  if (problems.length > 0) throw new NodesMissing(problems);
  return nodes.map(({ host, port }) => `${host}:${port}`);
}

/** The rows that stay behind on the coordinator are taken away past the triggers that refuse it. */
async function refuseUnprivileged(database: Queryable): Promise<void> {
  const rows = await database.query<{ may: boolean }>(sql`
    select has_parameter_privilege('session_replication_role', 'set') as may`);
  if (rows[0]?.may !== true) throw new ShardingNotAllowed();
}

/** Whoever comes from here on waits until it is done, and then finds a database that is split. */
async function keepWritersOut(tx: Tx, tables: readonly Table[]): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`);
  const names = tables.map(({ quoted }) => quoted).join(", ");
  await tx.query({ text: `lock table ${names} in share row exclusive mode`, values: [] });
}

async function dropLocalRows(tx: Tx, tables: readonly Table[]): Promise<void> {
  await tx.query(sql`set local session_replication_role = replica`);
  for (const { name, quoted } of tables)
    if (groupOf(name) !== "own")
      await tx.query(sql`select truncate_local_data_after_distributing_table(${quoted})`);
  await tx.query(sql`set local session_replication_role = origin`);
}

/**
 * What a connection of ours asks of the planner (docs/decisions/0119-settings-of-the-planner.md) does not reach the connections that the nodes open
 * to each other. Settings of the role do, and nodes that are added later get them too.
 */
async function setUpPlanner(tx: Tx): Promise<void> {
  const rows = await tx.query<{ quoted: string }>(sql`
    select quote_ident(current_database()) as quoted`);
  for (const setting of ["enable_seqscan", "jit"])
    await tx.query({
      text: `alter role current_user in database ${rows[0]?.quoted} set ${setting} = off`,
      values: [],
    });
}

async function verify(
  tx: Tx,
  tables: readonly Table[],
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const left = await findUndistributed(tx);
  const names = [
    ...left.tables.map(({ name }) => name),
    ...left.functions.map((one) => one.signature),
  ];
  const problems = names.map((name) => `${name} is still on the coordinator alone`);
  for (const [name, rows] of await countRows(tx, tables)) {
    const expected = before.get(name) ?? 0;
    if (rows !== expected) problems.push(`${name} has ${rows} rows, and had ${expected}`);
  }
  if (problems.length > 0) throw new ShardingFailed(problems);
}

async function countRows(tx: Tx, tables: readonly Table[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name, quoted } of tables) {
    const rows = await tx.query<{ count: number }>({
      text: `select count(*) as count from ${quoted}`,
      values: [],
    });
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
