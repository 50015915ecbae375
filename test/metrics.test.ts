import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { auditChecks } from "../src/audit-checks.ts";
import { auditCommand } from "../src/cli/commands/audit.ts";
import { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { endAudit } from "./audits.ts";
import { scrapeBusyService } from "./busy-service.ts";
import { box, makeCompany, startService, type TestService, test } from "./fixtures.ts";
import { holdLock } from "./locks.ts";
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
  const release = await holdLock(db, `select from books where company_id = '${company.id}'`);
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
  await release();
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

test("how an audit ended is shown by every node, and a difference until a later audit is clean, whatever is restarted", async ({
  db,
  company,
  service,
}) => {
  const differencesOf = async (node: TestService) =>
    valueOf(await scrape(node), "cauri_audit_differences");
  expect(await differencesOf(service)).toBeUndefined();
  const begun = Math.floor(Date.now() / 1_000);
  expect((await auditCommand({ ...db, openBox: async () => box }, auditChecks)).exitCode).toBe(0);
  await expect.poll(() => differencesOf(service), patience).toBe(0);
  const ended = valueOf(await scrape(service), "cauri_audit_ended_timestamp_seconds");
  expect(ended).toBeGreaterThanOrEqual(begun);

  const spoil = (by: number) =>
    db.database.query(sql`
      update books set available = available - ${by}, external = external + ${by} where company_id = ${company.id}`);
  await spoil(7);
  expect((await auditCommand({ ...db, openBox: async () => box }, auditChecks)).exitCode).toBe(1);
  await expect.poll(() => differencesOf(service), patience).toBeGreaterThan(0);
  const restarted = await startService(db);
  onTestFinished(() => restarted.stop());
  expect(await differencesOf(restarted)).toBeGreaterThan(0);
  // One that looked at a part only says nothing about the rest.
  await endAudit(db.database, 0, { isFull: false });
  const again = await startService(db);
  onTestFinished(() => again.stop());
  expect(await differencesOf(again)).toBeGreaterThan(0);

  await spoil(-7);
  expect((await auditCommand({ ...db, openBox: async () => box }, auditChecks)).exitCode).toBe(0);
  for (const node of [service, restarted, again])
    await expect.poll(() => differencesOf(node), patience).toBe(0);
  const rows = await db.database.query<{ checks: object; operator: string }>(sql`
    select checks, operator from audits where differences > 0`);
  expect(rows).toEqual([
    {
      checks: expect.objectContaining({ "a statement ends at the balance": 1 }),
      operator: expect.any(String),
    },
  ]);
  await expect(db.database.query(sql`update audits set differences = 0`)).rejects.toThrow(
    "append-only",
  );
  await expect(db.database.query(sql`delete from audits`)).rejects.toThrow("append-only");
});

test("while the database is away, /metrics says so, what it cannot know is missing, and what an audit found stays", async ({
  db,
}) => {
  const own = new Database({ url: db.url, poolSize: 4 });
  onTestFinished(() => own.close());
  const service = await startService({ url: db.url, database: own });
  onTestFinished(() => service.stop());
  await endAudit(db.database, 2);
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
    expect(valueOf(text, "cauri_audit_differences")).toBe(2);
    expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  } finally {
    await admin.query(`alter database ${name} allow_connections true`);
  }
  await expect
    .poll(async () => valueOf(await scrape(service), "cauri_money_in_flight_francs"), patience)
    .toBe(0);
});
