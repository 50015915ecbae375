import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { auditChecks } from "../src/audit-checks.ts";
import { auditCommand } from "../src/cli/commands/audit.ts";
import { readConfig } from "../src/config.ts";
import { Database } from "../src/database/database.ts";
import { Signals } from "../src/database/signals.ts";
import { sql } from "../src/database/sql.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { scrapeBusyService } from "./busy-service.ts";
import { box, makeCompany, startService, type TestService, test } from "./fixtures.ts";
import { readMetrics } from "./read-metrics.ts";
import { patience, send } from "./receiver.ts";

async function scrape(service: TestService) {
  const { status, body } = await service.call("GET", "/metrics");
  expect(status).toBe(200);
  return String(body);
}

function valueOf(text: string, series: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test("docs/operating.md lists exactly the metrics that /metrics shows, with their types and labels", async ({
  db,
  company,
}) => {
  const shown = readMetrics(await scrapeBusyService(db, company));
  const document = readFileSync(join(packageRoot, "docs/operating.md"), "utf8");
  const rows = [...document.matchAll(/^\| `((?:cauri|process)_\w+)` \| (\w+) \| ([\w, ]*) ?\|/gm)];
  const described = rows.map(([, name, type, labels = ""]) => ({
    name,
    type,
    labels: labels
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean)
      .toSorted(),
  }));
  expect(described.toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? ""))).toEqual(
    [...shown]
      .map(([name, { type, labels }]) => ({ name, type, labels: [...labels].toSorted() }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  );

  for (const [name, { type, help, values, seriesCount }] of shown) {
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    expect(help, name).toMatch(/^[A-Z0-9].*\.$/);
    expect(name, "base units").not.toMatch(/_(?:ms|milliseconds|minutes|kb|mb|percent)(?:_|$)/);
    if (type === "histogram") expect(name).toMatch(/_(?:seconds|size)$/);
    // Of a bounded set: no id of anybody, and no address.
    for (const [label, seen] of values)
      for (const value of seen)
        expect(value, `${name} ${label}`).not.toMatch(/[0-9a-f]{8}|\d{6}|:\/\//);
    expect(seriesCount, name).toBeGreaterThan(0);
    expect(seriesCount, name).toBeLessThan(300);
  }
});

test("money in flight and the age of the oldest transfer are told until it is settled, whoever settles", async ({
  db,
  company,
}) => {
  const api = await startService(db, { ROLES: "api" });
  onTestFinished(() => api.stop());
  const other = await makeCompany(db.database);
  await send(api, company, "first");
  await send(api, company, "second", { amount: 7_000 });
  await send(api, other, "third");
  const text = await scrape(api);
  const [row] = await db.database.query<{ sum: number }>(
    sql`select sum(in_flight)::bigint as sum from books`,
  );
  expect(row?.sum).toBeGreaterThanOrEqual(17_000);
  expect(valueOf(text, "cauri_money_in_flight_francs")).toBe(row?.sum);
  expect(valueOf(text, 'cauri_queue_companies{queue="transfers"}')).toBe(2);
  expect(valueOf(text, 'cauri_queue_age_seconds{queue="transfers"}')).toBeGreaterThan(0);

  const worker = await startService(db, { ROLES: "worker" });
  onTestFinished(() => worker.stop());
  await expect
    .poll(async () => valueOf(await scrape(api), "cauri_money_in_flight_francs"), patience)
    .toBe(0);
  expect(valueOf(await scrape(api), 'cauri_queue_age_seconds{queue="transfers"}')).toBe(0);
});

test("who waits for a lock is counted, and for how long", async ({ db, company, service }) => {
  const holder = new pg.Client({ connectionString: db.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select 1 from books where company_id = $1 for update", [company.id]);
  const waiting = send(service, company, "held up");
  await expect
    .poll(async () => valueOf(await scrape(service), "cauri_database_lock_waiters"), patience)
    .toBeGreaterThanOrEqual(1);
  await expect
    .poll(async () => valueOf(await scrape(service), "cauri_database_lock_wait_seconds"), patience)
    .toBeGreaterThan(0.5);
  const text = await scrape(service);
  const inUse = 'cauri_database_connections{pool="requests",state="in_use"}';
  expect(valueOf(text, inUse)).toBeGreaterThanOrEqual(1);
  await holder.end();
  await waiting;
  const slow = 'cauri_set_seconds_bucket{set="transfers",le="0.5"}';
  await expect.poll(async () => valueOf(await scrape(service), slow), patience).toBe(0);
});

test("the share of message budgets follows the messages of all nodes", async ({ db, service }) => {
  await db.database.query(sql`
    insert into message_counts (subject, hour, hour_count, day, day_count)
    select x.subject, date_trunc('hour', now(), 'UTC'), x.count, date_trunc('day', now(), 'UTC'), x.count
    from (values ('all', 2500), ('country:221', 500), ('country:225', 2000), ('phone:225', 99)) as x(subject, count)`);
  const text = await scrape(service);
  const used = (scope: string, span: string) =>
    valueOf(text, `cauri_message_budget_used_ratio{scope="${scope}",span="${span}"}`);
  expect(used("all", "hour")).toBe(0.5);
  expect(used("all", "day")).toBe(0.05);
  expect(used("country", "hour")).toBe(0.8);
  expect(used("country", "day")).toBe(0.08);
});

test("an audit by the command line is told to running nodes", async ({ db, company, service }) => {
  expect(valueOf(await scrape(service), "cauri_audit_differences")).toBeUndefined();
  const context = {
    config: readConfig({}),
    database: db.database,
    signals: new Signals(db.url, db.database),
    openBox: async () => box,
  };
  const begun = Math.floor(Date.now() / 1_000);
  expect((await auditCommand(context, auditChecks)).exitCode).toBe(0);
  const differences = async () => valueOf(await scrape(service), "cauri_audit_differences");
  await expect.poll(differences, patience).toBe(0);
  const ended = valueOf(await scrape(service), "cauri_audit_ended_timestamp_seconds");
  expect(ended).toBeGreaterThanOrEqual(begun);

  await db.database.query(sql`
    update books set available = available - 7, external = external + 7 where company_id = ${company.id}`);
  expect((await auditCommand(context, auditChecks)).exitCode).toBe(1);
  await expect.poll(differences, patience).toBeGreaterThan(0);
});

test("while the database is away, /metrics says so, and what it cannot know is missing", async ({
  db,
}) => {
  const own = new Database({ url: db.url, poolSize: 4 });
  onTestFinished(() => own.close());
  const service = await startService({ url: db.url, database: own });
  onTestFinished(() => service.stop());
  expect(valueOf(await scrape(service), "cauri_database_up")).toBe(1);

  const name = new URL(db.url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`alter database ${name} allow_connections false`);
  try {
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      name,
    ]);
    await sleep(2_100);
    const away = async () => valueOf(await scrape(service), "cauri_database_up");
    await expect.poll(away, patience).toBe(0);
    const text = await scrape(service);
    expect(text).not.toContain("cauri_money_in_flight_francs");
    expect(text).not.toContain("cauri_queue_age_seconds");
    expect(text).toContain("cauri_event_loop_delay_max_seconds");
    expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  } finally {
    await admin.query(`alter database ${name} allow_connections true`);
  }
  await expect
    .poll(async () => valueOf(await scrape(service), "cauri_money_in_flight_francs"), patience)
    .toBe(0);
});
