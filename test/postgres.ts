import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { Database } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/server.ts";
import { migrate } from "../src/database/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Any database of the test server; tests make their own from the template `cauri_template`. */
    readonly postgresUrl: string;
    /** In the names of the databases of this run. */
    readonly runId: string;
    /** Where data folders are made that tests copy. */
    readonly preparedFolder: string;
    /** How such a copy is made fastest there. */
    readonly copyStrategy: "file_copy" | "wal_log";
  }
}

/**
 * One real PostgreSQL for the whole run: the embedded one in a folder of its own, or the one that
 * TEST_DATABASE_URL names. It is migrated once, into a template that every test copies. Ours does not wait
 * for the disk, which makes a copy four times as fast; tests that crash a PostgreSQL start their own, which does.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env["TEST_DATABASE_URL"];
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-test-"));
  const embedded =
    named === undefined ? await startEmbedded({ dataDir, log: () => {} }) : undefined;
  const url = named ?? embedded?.adminUrl ?? "";

  if (embedded !== undefined) await hurry(url);
  await makeTemplate(url);
  const runId = randomBytes(6).toString("hex");
  const preparedFolder = await mkdtemp(join(tmpdir(), "cauri-prepared-"));
  project.provide("preparedFolder", preparedFolder);
  project.provide("runId", runId);
  project.provide("postgresUrl", url);
  project.provide("copyStrategy", embedded === undefined ? "wal_log" : "file_copy");
  return async () => {
    await drop(url, templateName);
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

async function makeTemplate(url: string): Promise<void> {
  await drop(url, templateName);
  await administer(url, `create database ${templateName}`);
  const template = new URL(url);
  template.pathname = `/${templateName}`;
  const database = new Database({ url: template.href, poolSize: 1 });
  await migrate(database);
  await database.close();
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
