import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { Database } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/server.ts";
import { migrate } from "../src/database/migrate.ts";
import { shardDatabase } from "../src/database/shard-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Any database of the test server; tests make their own from the template `cauri_template`. */
    readonly postgresUrl: string;
    /** In the names of the databases of this run. */
    readonly runId: string;
    /** Where data folders are made that tests copy. */
    readonly preparedFolder: string;
    /** Other nodes of a cluster, which every database is made on as well. */
    readonly workerUrls: readonly string[];
    /** Whether databases are split by company (Citus). */
    readonly isCluster: boolean;
    /** How such a copy is made fastest there. */
    readonly copyStrategy: "file_copy" | "wal_log";
  }
}

/** Each worker has services and pools of ten connections, and on a busy machine the last test's are still on their way out. */
const connectionsMax = 400;
/** Of each table: enough to have several on every node, and few to copy. */
const shards = 4;

/**
 * One real PostgreSQL for the whole run: the embedded one in a folder of its own, or the one that
 * TEST_DATABASE_URL names. It is migrated once, into a template that every test copies. Ours does not wait
 * for the disk, which makes a copy four times as fast; tests that crash a PostgreSQL start their own, which does.
 * TEST_CITUS_NODES names the nodes of a cluster, the coordinator first (scripts/test-citus.mjs): the template is split there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env["TEST_DATABASE_URL"];
  const nodes = process.env["TEST_CITUS_NODES"]?.split(" ") ?? [];
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-test-"));
  const settings = { max_connections: String(connectionsMax) };
  const embedded =
    named === undefined ? await startEmbedded({ dataDir, log: () => {}, settings }) : undefined;
  const url = named ?? embedded?.adminUrl ?? "";
  const servers = nodes.length > 0 ? nodes : [url];

  if (embedded !== undefined) await hurry(url);
  await makeTemplate(servers, nodes.length > 0);
  const runId = randomBytes(6).toString("hex");
  const preparedFolder = await mkdtemp(join(tmpdir(), "cauri-prepared-"));
  project.provide("preparedFolder", preparedFolder);
  project.provide("runId", runId);
  project.provide("postgresUrl", url);
  project.provide("workerUrls", nodes.slice(1));
  project.provide("isCluster", nodes.length > 0);
  project.provide(
    "copyStrategy",
    embedded === undefined && nodes.length === 0 ? "wal_log" : "file_copy",
  );
  return async () => {
    for (const server of servers) await drop(server, templateName);
    if (embedded === undefined) await dropLeftOver(url, runId);
    await embedded?.stop();
    for (const folder of [dataDir, preparedFolder])
      await rm(folder, { recursive: true, force: true });
  };
}

/** Neither the disk nor whoever guesses passwords matters here, and each test opens ten connections. */
async function hurry(url: string): Promise<void> {
  await administer(url, "alter system set fsync = off");
  await administer(url, "alter system set scram_iterations = 1");
  await administer(url, "select pg_reload_conf()");
  const { username, password } = new URL(url);
  await administer(url, `alter role ${username} password '${password}'`);
}

const templateName = "cauri_template";

async function makeTemplate(servers: readonly string[], isCluster: boolean): Promise<void> {
  const templates = servers.map((url) => {
    const template = new URL(url);
    template.pathname = `/${templateName}`;
    return template.href;
  });
  for (const [index, url] of servers.entries()) {
    await drop(url, templateName);
    await administer(url, `create database ${templateName}`);
    if (isCluster) await administer(templates[index] ?? "", "create extension citus");
  }
  const [coordinator = "", ...workers] = templates;
  if (isCluster) await joinNodes(coordinator, workers);
  const database = new Database({ url: coordinator, poolSize: 1 });
  await migrate(database);
  if (isCluster) await shardDatabase(database, { shards, tell: () => {} });
  await database.close();
  // The extension keeps a process in each of its databases, and what somebody uses cannot be copied.
  if (isCluster) for (const url of servers) await closeTemplate(url);
}

async function joinNodes(coordinator: string, workers: readonly string[]): Promise<void> {
  const place = ({ hostname, port }: URL) => `'${hostname}', ${port}`;
  const own = place(new URL(coordinator));
  await administer(coordinator, `select citus_set_coordinator_host(${own})`);
  for (const worker of workers)
    await administer(coordinator, `select citus_add_node(${place(new URL(worker))})`);
  if (workers.length === 0)
    await administer(
      coordinator,
      `select citus_set_node_property(${own}, 'shouldhaveshards', true)`,
    );
}

async function closeTemplate(url: string): Promise<void> {
  await administer(url, `alter database ${templateName} allow_connections false`);
  await administer(
    url,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${templateName}'`,
  );
}

async function drop(url: string, name: string): Promise<void> {
  await administer(url, `drop database if exists ${name} with (force)`);
}

/** What tests had put aside for others. */
async function dropLeftOver(url: string, runId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1)",
    [`t_${runId}_`],
  );
  await client.end();
  for (const { name } of rows) await drop(url, name);
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
