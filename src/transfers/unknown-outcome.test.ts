import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { auditDifferences, startService, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "rent" };

test("an answer lost on the way back is looked up: what was committed is a 201", async ({
  db,
  company,
}) => {
  const { service, proxy } = await serviceBehindProxy(db.url);
  await service.call("GET", "/v1/balance", { token: company.accessToken });

  // The request has come as far as its commit when nothing more is heard of it.
  const release = await holdLock(db, `select from books where company_id = '${company.id}'`);
  const answer = service.call("POST", "/v1/transactions", { token: company.accessToken, body });
  await untilLockAwaited(db.database);
  proxy.isDeaf = true;
  await release();
  await untilCommitted(db.database);
  proxy.isDeaf = false;
  proxy.cut();

  expect((await answer).status).toBe(201);
  expect(
    (await service.call("POST", "/v1/transactions", { token: company.accessToken, body })).status,
  ).toBe(409);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("503: what may still happen is neither a success nor a failure, and its reference is safe to repeat", async ({
  db,
  company,
}) => {
  const { service } = await serviceBehindProxy(db.url);
  await service.call("GET", "/v1/balance", { token: company.accessToken });

  // Someone else holds the company's money; the request waits behind it, and its connection is killed there.
  const release = await holdLock(db, `select from books where company_id = '${company.id}'`);
  const waiting = service.call("POST", "/v1/transactions", { token: company.accessToken, body });
  await terminateWaiting(db.database);
  await release();

  const answer = await waiting;
  expect(answer.status).toBe(503);
  expect(answer.body.code).toBe("outcome_unknown");
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(
    (await service.call("POST", "/v1/transactions", { token: company.accessToken, body })).status,
  ).toBe(201);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("503: the database is away, nothing was changed, and the service is back as soon as it is", async ({
  db,
  company,
}) => {
  const { service, proxy } = await serviceBehindProxy(db.url);
  await service.call("GET", "/v1/balance", { token: company.accessToken });
  proxy.isAway = true;
  proxy.cut();

  const answer = await service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body,
  });
  expect(answer.status).toBe(503);
  expect(["database_unavailable", "outcome_unknown"]).toContain(answer.body.code);
  // A commit of a moment ago may still count.
  await expect.poll(async () => (await service.call("GET", "/readyz")).status, patience).toBe(503);
  expect((await service.call("GET", "/healthz")).status).toBe(200);
  expect(await db.database.query(sql`select 1 from transfers`)).toEqual([]);

  proxy.isAway = false;
  expect(
    (await service.call("POST", "/v1/transactions", { token: company.accessToken, body })).status,
  ).toBe(201);
  expect((await service.call("GET", "/readyz")).status).toBe(200);
});

async function serviceBehindProxy(url: string) {
  const proxy = await TcpProxy.before(url);
  const through = proxy.rewrite(url);
  const database = new Database({ url: through, poolSize: 5, connectTimeoutMs: 1_000 });
  const service = await startService({ url: through, database }, { ROLES: "api" });
  onTestFinished(async () => {
    await service.stop();
    await database.close();
    await proxy.close().catch(() => {});
  });
  return { proxy, service };
}

async function untilCommitted(database: Database): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await database.query(sql`select 1 from transfers`)).length > 0) return;
    await sleep(10);
  }
  throw new Error("the transfer was never committed");
}

async function terminateWaiting(database: Database): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const killed = await database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%submit_transfers%'`);
    if (killed.length > 0) return;
    await sleep(10);
  }
  throw new Error("the request never waited");
}
