import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { patience } from "../../test/receiver.ts";
import { Metrics, textOf } from "../kernel/metrics.ts";
import { Database } from "./database.ts";
import { startEmbedded } from "./embedded/server.ts";
import { serverMetrics } from "./server-metrics.ts";
import { sql } from "./sql.ts";

const limitMs = 180_000;

/** A PostgreSQL of the test's own that archives its log, seen by the role of the service, which is no superuser. */
async function startServer() {
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-server-metrics-"));
  const settings = { shared_buffers: "16MB", archive_mode: "on" };
  const server = await startEmbedded({ dataDir, settings, log: () => {} });
  const admin = new Database({ url: server.adminUrl, poolSize: 1 });
  const own = new Database({ url: server.url, poolSize: 1 });
  onTestFinished(async () => {
    await own.close();
    await admin.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const run = (text: string) => admin.query({ text, values: [] });
  const set = async (name: string, value: string) => {
    await run(`alter system set ${name} = '${value}'`);
    await run("select pg_reload_conf()");
  };
  const metrics = new Metrics();
  const measure = serverMetrics(own, metrics);
  const read = async (series: string) => {
    await measure();
    const line = textOf(metrics.families())
      .split("\n")
      .find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
  return { adminUrl: server.adminUrl, own, run, set, read };
}

/** What a standby is to a primary: a connection that is sent the log, and says how much of it was replayed. */
async function pretendStandby(url: string, startsAt: string) {
  const address = new URL(url);
  address.searchParams.set("replication", "true");
  address.searchParams.set("application_name", "pretended");
  const client = new pg.Client({ connectionString: address.href });
  client.on("error", () => {});
  await client.connect();
  const streaming = client.query(`START_REPLICATION PHYSICAL ${startsAt}`).catch(() => {});
  const [high = "0", low = "0"] = startsAt.split("/");
  const place = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  const report = Buffer.alloc(34);
  report.write("r");
  // Written, flushed, replayed.
  for (const at of [1, 9, 17]) report.writeBigUInt64BE(place, at);
  const { connection } = client as unknown as {
    connection: { sendCopyFromChunk(chunk: Buffer): void };
  };
  return {
    report: () => connection.sendCopyFromChunk(report),
    async end() {
      await client.end();
      await streaming;
    },
  };
}

test("the archive is told: off or on, failing, and for how long nothing went there", {
  timeout: limitMs,
}, async () => {
  const { run, set, read } = await startServer();
  expect(await read("cauri_postgres_archiving")).toBe(1);
  expect(await read("cauri_postgres_archive_failing")).toBe(0);

  await set("archive_command", "false");
  await run("create table written (n integer)");
  await run("select pg_switch_wal()");
  await expect.poll(() => read("cauri_postgres_archive_failing"), patience).toBe(1);
  await run("select pg_sleep(1.1)");
  expect(await read("cauri_postgres_archive_age_seconds")).toBeGreaterThan(1);

  await set("archive_command", "true");
  await expect.poll(() => read("cauri_postgres_archive_failing"), patience).toBe(0);
});

test("standbys are counted, with how far behind they are, once the role may know", {
  timeout: limitMs,
}, async () => {
  const { adminUrl, own, run, set, read } = await startServer();
  expect(await read("cauri_postgres_standbys")).toBe(0);
  expect(await read("cauri_postgres_standbys_unseen")).toBe(0);
  expect(await read("cauri_postgres_slot_retained_bytes")).toBe(0);
  await run("select pg_create_physical_replication_slot('away', true)");
  await run("select pg_switch_wal()");
  const [row] = await own.query<{ place: string }>(
    sql`select restart_lsn::text as place from pg_replication_slots`,
  );
  const standby = await pretendStandby(adminUrl, row?.place ?? "");
  await run(
    "create table written as select repeat('x', 1000) as text from generate_series(1, 2000)",
  );
  standby.report();

  await expect.poll(() => read("cauri_postgres_standbys"), patience).toBe(1);
  expect(await read("cauri_postgres_standbys_unseen")).toBe(1);
  expect(await read("cauri_postgres_replication_lag_bytes")).toBe(0);
  expect(await read("cauri_postgres_slot_retained_bytes")).toBeGreaterThan(1_000_000);

  await run("grant pg_read_all_stats to cauri");
  await expect
    .poll(() => read("cauri_postgres_replication_lag_bytes"), patience)
    .toBeGreaterThan(100_000);
  expect(await read("cauri_postgres_standbys_unseen")).toBe(0);
  expect(await read("cauri_postgres_standbys_confirming")).toBe(0);
  await set("synchronous_standby_names", "pretended");
  await expect.poll(() => read("cauri_postgres_standbys_confirming"), patience).toBe(1);

  await standby.end();
  await expect.poll(() => read("cauri_postgres_standbys"), patience).toBe(0);
});

test("transaction ids have an age, and clocks that are apart are told", {
  timeout: limitMs,
}, async () => {
  const { run, read } = await startServer();
  const before = (await read('cauri_postgres_transaction_id_age{kind="transaction"}')) ?? 0;
  await run("create table written (n integer)");
  await run("insert into written select 1");
  expect(await read('cauri_postgres_transaction_id_age{kind="transaction"}')).toBeGreaterThan(
    before,
  );
  expect(await read('cauri_postgres_transaction_id_age{kind="multixact"}')).toBeGreaterThanOrEqual(
    0,
  );
  expect(await read("cauri_database_clock_skew_seconds")).toBeLessThan(1);

  onTestFinished(() => void vi.useRealTimers());
  for (const aheadMs of [60_000, -60_000]) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMs });
    const skew = await read("cauri_database_clock_skew_seconds");
    vi.useRealTimers();
    expect(skew).toBeGreaterThan(50);
    expect(skew).toBeLessThan(70);
  }
});
