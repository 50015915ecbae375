import { expect, onTestFinished } from "vitest";
import { ChargeClient } from "../test/charges.ts";
import {
  makeCompany,
  makeCustomer,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../test/fixtures.ts";
import { holdLock } from "../test/locks.ts";
import { patience } from "../test/receiver.ts";
import { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

const heldMsisdn = "2250711111111";
const freeMsisdn = "2250722222222";

test("a company whose settling waits for a lock delays the settling of no other", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database);
  await fillWallets(db, service, company);
  const unlock = await holdLock(db, `select 1 from wallets where msisdn = '${heldMsisdn}'`);
  const held = await send(service, company, "held", heldMsisdn);
  await untilWaiting(db, 1);

  for (const reference of ["one", "two", "three"]) {
    const sent = await send(service, other, reference, freeMsisdn);
    await untilCompleted(service, other, sent.id);
  }
  await unlock();
  await untilCompleted(service, company, held.id);
});

test("201: workers that wait for locks take no connection from requests", async ({
  db,
  company,
}) => {
  const service = await serviceWithPool(db, 2);
  const others = [await makeCompany(db.database), await makeCompany(db.database)] as const;
  await fillWallets(db, service, company);
  const unlock = await holdLock(db, `select 1 from wallets where msisdn = '${heldMsisdn}'`);
  const sent = [
    { sender: company, transfer: await send(service, company, "held", heldMsisdn) },
    { sender: others[0], transfer: await send(service, others[0], "held", heldMsisdn) },
  ];
  await untilWaiting(db, 2);

  sent.push({ sender: others[1], transfer: await send(service, others[1], "free", freeMsisdn) });
  await unlock();
  for (const { sender, transfer } of sent) await untilCompleted(service, sender, transfer.id);
});

test("200: a company whose payments all wait for a lock leaves connections for the others", async ({
  db,
  company,
}) => {
  const service = await serviceWithPool(db, 4);
  const other = await makeCompany(db.database);
  await fillWallets(db, service, company);
  const charges = new ChargeClient(service, company);
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, place) => charges.made({ externalId: `order-${place}` })),
  );
  const unlock = await holdLock(db, `select 1 from wallets where msisdn = '${heldMsisdn}'`);
  const paying = ids.map((id) => charges.pay(id, heldMsisdn));
  await untilWaiting(db, 2);

  const othersCharges = new ChargeClient(service, other);
  const paid = await othersCharges.pay(await othersCharges.made(), freeMsisdn);
  expect([paid.status, paid.body.status]).toEqual([200, "paid"]);
  await unlock();
  const answers = await Promise.all(paying);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  for (const { status, body } of answers)
    expect(status === 200 ? body.status : body.code).toMatch(/^(?:paid|database_unavailable)$/);
});

async function serviceWithPool(db: TestDatabase, poolSize: number): Promise<TestService> {
  const database = new Database({ url: db.url, poolSize });
  const service = await startService({ url: db.url, database });
  onTestFinished(async () => {
    await service.stop();
    await database.close();
  });
  return service;
}

/** Both customers exist and have received money. */
async function fillWallets(db: TestDatabase, service: TestService, company: TestCompany) {
  for (const msisdn of [heldMsisdn, freeMsisdn]) {
    await makeCustomer(db.database, msisdn);
    const { id } = await send(service, company, `first of ${msisdn}`, msisdn, 200_000);
    await untilCompleted(service, company, id);
  }
}

async function send(
  service: TestService,
  { accessToken: token }: TestCompany,
  reference: string,
  msisdn: string,
  amount = 5_000,
) {
  const body = { type: "transfer", amount, msisdn, reference };
  const answer = await service.call("POST", "/v1/transactions", { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function untilCompleted(
  service: TestService,
  { accessToken: token }: TestCompany,
  id: string,
): Promise<void> {
  const statusOf = async () =>
    (await service.call("GET", `/v1/transactions/${id}`, { token })).body.status;
  await expect.poll(statusOf, patience).toBe("completed");
}

/** Waits until this many connections wait for a lock. */
async function untilWaiting({ database }: TestDatabase, count: number): Promise<void> {
  const waiting = async () =>
    (
      await database.query(sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    ).length;
  await expect.poll(waiting, patience).toBe(count);
}
