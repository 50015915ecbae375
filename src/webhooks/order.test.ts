import { expect, onTestFinished } from "vitest";
import { startService, type TestDatabase, test, untilSettled } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  passTime,
  patience,
  type Received,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const started = "transactions/started";
const completed = "transactions/completed";
const topicsOf = (received: readonly Received[]) => received.map(({ body }) => body.topic);

test("completed waits while started fails, is visible as blocked, and follows once started is acknowledged", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.topic === started ? status : 200).end(),
  );
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilSettled(db.database);
  await untilAttempts(db.database, 1);
  await expect
    .poll(async () => (await deliveriesOf(service, company, ids["completed"]))[0], patience)
    .toMatchObject({ status: "blocked", attempts: 0, nextAttemptAt: null, log: [] });

  await passTime(db.database);
  await untilAttempts(db.database, 2);
  expect(topicsOf(receiver.received)).toEqual([started, started]);

  status = 204;
  await passTime(db.database);
  expect(topicsOf(await receiver.until(4))).toEqual([started, started, started, completed]);
  await untilAttempts(db.database, 4);
  expect(await deliveriesOf(service, company, ids["started"])).toMatchObject([
    { status: "delivered", attempts: 3 },
  ]);
  expect(await deliveriesOf(service, company, ids["completed"])).toMatchObject([
    { status: "delivered", attempts: 1 },
  ]);
});

test("objects do not wait for each other: one transfer's failing notification holds up no other's", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.data.reference === "bad" ? 500 : 200).end(),
  );
  await subscribe(service, company, receiver.url);
  await send(service, company, "bad");
  await untilAttempts(db.database, 1);
  for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);

  const heard = () =>
    receiver.received.map(({ body }) => `${body.data.reference} ${body.data.status}`);
  const good = () => heard().filter((line) => !line.startsWith("bad"));
  await expect.poll(() => good().length, patience).toBe(6);
  expect(good().toSorted()).toEqual(
    ["r1", "r2", "r3"].flatMap((reference) => [`${reference} completed`, `${reference} pending`]),
  );
  expect(heard()).not.toContain("bad completed");
});

test("webhooks on one url share its order, whatever their topics; another url has its own", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.path === "/a" ? status : 200).end(),
  );
  await subscribe(service, company, `${receiver.url}/a`, [started]);
  await subscribe(service, company, `${receiver.url}/a`, [completed]);
  await subscribe(service, company, `${receiver.url}/a`, [completed]);
  await subscribe(service, company, `${receiver.url}/b`, [completed]);
  await send(service, company, "r1");
  await receiver.until(2);
  await untilAttempts(db.database, 2);
  const heard = () => receiver.received.map(({ path, body }) => `${path} ${body.topic}`);
  expect(heard()).toEqual([`/a ${started}`, `/b ${completed}`]);

  status = 200;
  await passTime(db.database);
  await receiver.until(5);
  await untilAttempts(db.database, 5);
  expect(heard().slice(2)).toEqual([`/a ${started}`, `/a ${completed}`, `/a ${completed}`]);
  // Two webhooks, so two notifications, each with an id of its own.
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
});

test("started is given up after three failures once its transaction has ended; it can be sent again", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.topic === started ? status : 200).end(),
  );
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilBlocked(db);
  await untilAttempts(db.database, 1);
  await passTime(db.database);
  await untilAttempts(db.database, 2);
  await passTime(db.database);

  expect(topicsOf(await receiver.until(4))).toEqual([started, started, started, completed]);
  await untilAttempts(db.database, 4);
  const [superseded] = await deliveriesOf(service, company, ids["started"]);
  expect(superseded).toMatchObject({ status: "superseded", attempts: 3, nextAttemptAt: null });
  expect(superseded.log).toHaveLength(3);

  status = 200;
  const path = `/v1/webhooks/${ids["started"]}/deliveries/${superseded.id}/redeliver`;
  const again = await service.call("POST", path, { token: company.accessToken });
  expect(again.status).toBe(200);
  const arrived = await receiver.until(5);
  expect(arrived[4]?.raw).toBe(arrived[0]?.raw);
  expect(arrived[4]?.headers["webhook-id"]).toBe(arrived[0]?.headers["webhook-id"]);
  await untilAttempts(db.database, 5);
  expect(await deliveriesOf(service, company, ids["started"])).toMatchObject([
    { status: "delivered", attempts: 4 },
  ]);
});

test("started is given up just the same when its transaction had ended before anybody was told", async ({
  db,
  company,
}) => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.topic === started ? 500 : 200).end(),
  );
  const quiet = await startNode(db, "api,worker");
  const ids = await subscribe(quiet, company, receiver.url);
  await send(quiet, company, "r1");
  await untilSettled(db.database);

  await startNode(db, "webhooks");
  for (const attempts of [1, 2]) {
    await untilAttempts(db.database, attempts);
    await passTime(db.database);
  }
  await receiver.until(3);
  await expect
    .poll(async () => (await deliveriesOf(quiet, company, ids["started"]))[0], patience)
    .toMatchObject({ status: "superseded", attempts: 3 });
  expect(topicsOf(await receiver.until(4))).toEqual([started, started, started, completed]);
});

test("started that failed three times before its transaction ended is given up when it ends, not hours later", async ({
  db,
  company,
}) => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.topic === started ? 500 : 200).end(),
  );
  const unsettled = await startNode(db, "api,webhooks");
  const ids = await subscribe(unsettled, company, receiver.url);
  await send(unsettled, company, "r1");
  for (const attempts of [1, 2, 3]) {
    await untilAttempts(db.database, attempts);
    if (attempts < 3) await passTime(db.database);
  }
  expect(await deliveriesOf(unsettled, company, ids["started"])).toMatchObject([
    { status: "pending", attempts: 3 },
  ]);

  await startNode(db, "worker");
  await untilSettled(db.database);
  expect(topicsOf(await receiver.until(4, 10_000))).toEqual([started, started, started, completed]);
  expect(await deliveriesOf(unsettled, company, ids["started"])).toMatchObject([
    { status: "superseded", attempts: 3 },
  ]);
});

async function startNode(db: TestDatabase, roles: string) {
  const node = await startService(db, { ROLES: roles });
  onTestFinished(() => node.stop());
  return node;
}

async function untilBlocked(db: TestDatabase): Promise<void> {
  const blocked = sql`select 1 from deliveries where status = 'blocked'`;
  await expect
    .poll(async () => (await db.database.query(blocked)).length, patience)
    .toBeGreaterThan(0);
}
