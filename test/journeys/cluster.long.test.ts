import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { readParts } from "../../src/database/parts.ts";
import { shardDatabase } from "../../src/database/shard-database.ts";
import { sql } from "../../src/database/sql.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  startService,
  untilSettled,
} from "../fixtures.ts";
import { chooseTestPort } from "../free-port.ts";

const exitOfMissing = 3;
/** The coordinator and two workers. */
const nodeCount = 3;
const recipient = "221770000001";

test("a populated database is split, goes on, and while a node is away only its companies wait", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "cauri-cluster-"));
  const basePort = await chooseTestPort(nodeCount);
  const cluster = (...parameters: string[]) => runCluster(basePort, parameters);
  onTestFinished(() => {
    cluster("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  });
  const started = cluster("start", folder, "2");
  if (started.status === exitOfMissing) context.skip(started.stderr.trim());
  expect(started.status, started.stderr).toBe(0);
  const url = started.stdout.trim();
  const before = new Database({ url, poolSize: 2 });
  await migrate(before);
  await makeCustomer(before, recipient);
  // So many that it does not happen that one of the two nodes gets none.
  const companies = [];
  for (let count = 0; count < 20; count += 1) companies.push(await makeCompany(before));
  const tables = await before.query(sql`select 1 from companies`);
  expect(tables).toHaveLength(20);

  const { nodes } = await shardDatabase(before, { shards: 8, tell: () => {} });
  expect(nodes).toHaveLength(2);
  await expect(shardDatabase(before, { shards: 8, tell: () => {} })).rejects.toThrow(/already/);
  await before.close();
  const database = new Database({ url, poolSize: 10, statementTimeoutMs: 10_000 });
  onTestFinished(() => database.close());
  expect(await migrate(database)).toEqual({ migrations: [], functions: [] });
  const service = await startService({ url, database });
  onTestFinished(() => service.stop());
  const pay = async (token: string, reference: string) =>
    service.call("POST", "/v1/transactions", {
      token,
      body: { type: "transfer", amount: 5_000, msisdn: `+${recipient}`, reference },
    });
  const pendingOf = async (token: string) =>
    (await service.call("GET", "/v1/transactions?status=pending", { token })).body.data?.length;
  for (const { accessToken } of companies)
    expect((await pay(accessToken, "first")).status).toBe(201);
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);

  const parts = await readParts(database);
  const peopleOn = await database.query<{ node: string }>(sql`
    select nodename || ':' || nodeport as node from citus_shards where table_name = 'wallets'::regclass`);
  const away = parts.find(({ node }) => node !== peopleOn[0]?.node)?.node ?? "";
  const isAway = (id: string) =>
    parts.some(({ node, companyIds }) => node === away && companyIds.includes(id));
  expect(
    companies.some(({ id }) => isAway(id)),
    "a company on each node",
  ).toBe(true);
  expect(
    companies.some(({ id }) => !isAway(id)),
    "a company on each node",
  ).toBe(true);
  const number = Number(away.split(":")[1]) - basePort;
  process.kill(pidOf(folder, number), "SIGQUIT");

  for (const { id, accessToken } of companies) {
    const { status } = await pay(accessToken, "second");
    expect(status, `${id} ${isAway(id)}`).toBe(isAway(id) ? 503 : 201);
  }
  for (const { id, accessToken } of companies.filter((company) => !isAway(company.id)))
    await expect.poll(() => pendingOf(accessToken), { message: id, timeout: 30_000 }).toBe(0);
  const found = await auditDifferences(database);
  expect(new Set(found.map(({ check }) => check))).toEqual(new Set(["every node answers"]));

  expect(cluster("node", folder, String(number)).status).toBe(0);
  for (const { accessToken } of companies)
    await expect
      .poll(async () => (await pay(accessToken, "second")).status, { timeout: 30_000 })
      .toBeOneOf([201, 409]);
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);

  // Now it neither answers nor ends a connection.
  const stopped = processesOf(folder, number);
  const goOn = () => {
    for (const pid of stopped.splice(0)) process.kill(pid, "SIGCONT");
  };
  onTestFinished(goOn);
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  const metrics = async () => String((await service.call("GET", "/metrics")).body);
  await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^cauri_database_nodes_away 1$/m);
  for (const { id, accessToken } of companies) {
    const { status } = await within(4_000, pay(accessToken, "third"));
    expect(status, `${id} ${isAway(id)}`).toBe(isAway(id) ? 503 : 201);
  }
  for (const { id, accessToken } of companies.filter((company) => !isAway(company.id)))
    await expect.poll(() => pendingOf(accessToken), { message: id, timeout: 30_000 }).toBe(0);
  await expect
    .poll(async () => (await within(6_000, service.call("GET", "/readyz"))).status, {
      timeout: 60_000,
    })
    .toBe(200);
  // Of the companies that do not wait, everything is told.
  await expect
    .poll(() => within(6_000, metrics()), { timeout: 60_000 })
    .toMatch(/^cauri_database_up 1$/m);
  await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^cauri_money_in_flight_francs 0$/m);

  goOn();
  for (const { id, accessToken } of companies)
    await expect
      .poll(async () => (await pay(accessToken, "third")).status, { message: id, timeout: 60_000 })
      .toBeOneOf([201, 409]);
  await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^cauri_database_nodes_away 0$/m);
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);
});

/** A node's server and everybody it has made. */
function processesOf(folder: string, node: number): number[] {
  const server = pidOf(folder, node);
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(server)], {
    encoding: "utf8",
  });
  return [server, ...stdout.split("\n").map(Number).filter(Boolean)];
}

async function within<Answer>(ms: number, asked: Promise<Answer>): Promise<Answer> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  return Promise.race([asked, late]);
}

function runCluster(basePort: number, parameters: readonly string[]) {
  return spawnSync(join(packageRoot, "deploy/citus/cluster"), parameters, {
    encoding: "utf8",
    env: { ...process.env, BASE_PORT: String(basePort) },
  });
}

function pidOf(folder: string, node: number): number {
  return Number(readFileSync(join(folder, `node${node}/postmaster.pid`), "utf8").split("\n")[0]);
}
