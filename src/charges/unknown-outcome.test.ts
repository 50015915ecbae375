import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { ChargeClient, payer, walletOf } from "../../test/charges.ts";
import {
  auditDifferences,
  startService,
  type TestCompany,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { holdChange, holdLock } from "../../test/locks.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

test("an answer lost on the way back is looked up: what was committed is a 201", async ({
  db,
  company,
}) => {
  const { charges, proxy } = await behindProxy(db, company);

  // The request has come as far as its commit when nothing more is heard of it.
  const release = await holdChange(db, "lock table charges in exclusive mode");
  const answer = charges.create();
  await untilThereIs(db, waitingFor("submit_charges"));
  proxy.isDeaf = true;
  await release();
  await untilThereIs(db, "select 1 from charges");
  proxy.isDeaf = false;
  proxy.cut();

  const { status, body } = await answer;
  expect(status).toBe(201);
  expect((await charges.get(body.id)).body.status).toBe("due");
  expect((await charges.create()).status).toBe(409);
});

test("503: a creation that may still happen is neither a success nor a failure, and safe to repeat", async ({
  db,
  company,
}) => {
  const { charges } = await behindProxy(db, company);
  await charges.made({ externalId: "first" });

  // Someone else holds the lock of the company's charges; the request waits behind it and is killed there.
  const release = await holdLock(
    db,
    `select from work where company_id = '${company.id}' and queue = 'charges'`,
  );
  const waiting = charges.create();
  await killWaiting(db, "submit_charges");
  await release();

  const answer = await waiting;
  expect([answer.status, answer.body.code]).toEqual([503, "outcome_unknown"]);
  expect(answer.headers.get("retry-after")).toBe("1");
  expect((await charges.create()).status).toBe(201);
});

test("503: a refund whose answer was lost has happened; its key answers it, and nothing moves twice", async ({
  db,
  company,
}) => {
  const { charges, proxy } = await behindProxy(db, company);
  const id = await charges.paid();
  const key = { "idempotency-key": "refund-1" };

  proxy.set("lose the answer");
  const answer = await charges.refund(id, { amount: 4_000 }, key);
  expect([answer.status, answer.body.code]).toEqual([503, "outcome_unknown"]);
  expect(proxy.sprung).toBe(1);

  const again = await charges.refund(id, { amount: 4_000 }, key);
  expect([again.status, again.body.refunded]).toEqual([200, 4_000]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await walletOf(db, payer)).toBe(-6_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("503: a refund whose commit never left has not happened; its key makes it now", async ({
  db,
  company,
}) => {
  const { charges, proxy } = await behindProxy(db, company);
  const id = await charges.paid();
  const key = { "idempotency-key": "refund-1" };

  proxy.set("cut before");
  const answer = await charges.refund(id, { amount: 4_000 }, key);
  expect([answer.status, answer.body.code]).toEqual([503, "outcome_unknown"]);

  const again = await charges.refund(id, { amount: 4_000 }, key);
  expect([again.status, again.body.refunded]).toEqual([200, 4_000]);
  expect(again.headers.get("idempotency-replayed")).toBeNull();
  expect(await walletOf(db, payer)).toBe(-6_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("503: a payment whose answer was lost has happened; paying again is refused and says so", async ({
  db,
  company,
}) => {
  const { charges, proxy } = await behindProxy(db, company);
  const id = await charges.made();

  proxy.set("lose the answer");
  const answer = await charges.pay(id);
  expect([answer.status, answer.body.code]).toEqual([503, "outcome_unknown"]);

  const again = await charges.pay(id);
  expect([again.status, again.body.code]).toEqual([422, "charge_not_payable"]);
  expect(again.body.message).toContain("is paid;");
  expect(await walletOf(db, payer)).toBe(-10_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("503: a payment cut off in the middle has not happened at all, and paying again pays once", async ({
  db,
  company,
}) => {
  const { charges } = await behindProxy(db, company);
  const id = await charges.made();

  const release = await holdLock(db, `select from books where company_id = '${company.id}'`);
  const waiting = charges.pay(id);
  await killWaiting(db, "book_payment");
  await release();
  expect((await waiting).status).toBe(503);

  expect((await charges.get(id)).body).toMatchObject({ status: "due", attempts: 0 });
  expect((await charges.pay(id)).body.status).toBe("paid");
  expect((await charges.pay(id)).status).toBe(422);
  expect(await walletOf(db, payer)).toBe(-10_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

async function behindProxy(db: TestDatabase, company: TestCompany) {
  const proxy = await TcpProxy.before(db.url);
  const through = proxy.rewrite(db.url);
  const database = new Database({ url: through, poolSize: 5, connectTimeoutMs: 1_000 });
  const service = await startService({ url: through, database }, { ROLES: "api" });
  onTestFinished(async () => {
    await service.stop();
    await database.close();
    await proxy.close().catch(() => {});
  });
  const charges = new ChargeClient(service, company);
  await charges.list();
  return { proxy, charges };
}

const waitingFor = (call: string) =>
  `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%${call}%'`;

async function killWaiting(db: TestDatabase, call: string): Promise<void> {
  await untilThereIs(db, waitingFor(call));
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${call}%`}`);
}

async function untilThereIs({ database }: TestDatabase, text: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await database.query({ text, values: [] })).length > 0) return;
    await sleep(10);
  }
  throw new Error(`never: ${text}`);
}
