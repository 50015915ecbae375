import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import {
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import {
  deliveriesOf,
  passTime,
  patience,
  type Receiver,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
  untilNothingInHand,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const completed = "transactions/completed";
const references = ({ received }: Receiver) =>
  received.map(({ body }) => `${body.data.reference} ${body.data.status}`).toSorted();

test("DELETE cancels a hundred pending deliveries, and nothing more arrives", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
  const witness = await startReceiver();
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await sendBatch(service, company, "r", 100);
  await expect.poll(() => statuses(db), patience).toEqual([{ status: "pending", count: 100 }]);
  await untilNothingInHand(db.database);
  const before = receiver.received.length;

  await remove(service, company, id);
  expect(await statuses(db)).toEqual([{ status: "cancelled", count: 100 }]);
  await subscribe(service, company, witness.url, [completed]);
  await db.database.query(sql`
    update endpoints set open_until = null, failures = 0, failing_since = null`);
  await passTime(db.database);
  await send(service, company, "later");
  await witness.until(1);
  expect(references(witness)).toEqual(["later completed"]);
  expect(receiver.received).toHaveLength(before);
});

test("DELETE stops what was already lined up to be sent: only what was on its way arrives", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const held: ServerResponse[] = [];
  let isHolding = false;
  const receiver = await startReceiver((_received, response) => {
    if (isHolding) held.push(response);
    else response.writeHead(200).end();
  });
  const witness = await startReceiver();
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  // A receiver that answers quickly is sent more at a time, so more is lined up for it.
  await sendBatch(service, company, "quick", 100);
  await receiver.until(100);
  isHolding = true;
  await sendBatch(service, company, "slow", 100);
  await receiver.until(108);
  await untilSettled(db.database);
  // Everything is in hand, and nothing of it is written down.
  const newest = async (): Promise<string[]> =>
    (await deliveriesOf(service, company, id, "?limit=100")).map(
      ({ status }: { status: string }) => status,
    );
  await expect.poll(newest, patience).toEqual(Array.from({ length: 100 }, () => "pending"));
  expect(await statuses(db)).toEqual([{ status: "delivered", count: 100 }]);

  await remove(service, company, id);
  await subscribe(service, company, witness.url, [completed]);
  isHolding = false;
  for (const response of held) response.writeHead(200).end();
  await send(service, company, "later");
  await witness.until(1);
  expect(receiver.received).toHaveLength(108);
  await expect
    .poll(() => statuses(db), patience)
    .toEqual([
      { status: "cancelled", count: 100 },
      { status: "delivered", count: 101 },
    ]);
});

test("a webhook hears of what happens after its registration, and of nothing older", async ({
  db,
  service,
  company,
}) => {
  const [first, second, third] = [
    await startReceiver(),
    await startReceiver(),
    await startReceiver(),
  ];
  await send(service, company, "before all");
  await untilSettled(db.database);
  const ids = await subscribe(service, company, first.url);
  await send(service, company, "with one");
  await first.until(2);
  await subscribe(service, company, second.url);
  await send(service, company, "with two");
  await first.until(4);
  await second.until(2);

  expect(references(first)).toEqual([
    "with one completed",
    "with one pending",
    "with two completed",
    "with two pending",
  ]);
  expect(references(second)).toEqual(["with two completed", "with two pending"]);

  const { accessToken: token } = company;
  const all = await service.call("GET", "/v1/webhooks", { token });
  expect(all.body.data).toHaveLength(6);
  for (const { id } of all.body.data) await remove(service, company, id);
  expect((await service.call("GET", `/v1/webhooks/${ids["started"]}`, { token })).status).toBe(404);
  await send(service, company, "with nobody");
  await untilSettled(db.database);

  await subscribe(service, company, third.url);
  await send(service, company, "with the last");
  await third.until(2);
  expect(references(third)).toEqual(["with the last completed", "with the last pending"]);
  expect([first.received.length, second.received.length]).toEqual([4, 2]);
});

test("a deleted webhook's earlier event holds up nobody: what waited behind it goes", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.body.data.status === "pending" ? 500 : 200).end(),
  );
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  await expect
    .poll(() => statuses(db), patience)
    .toEqual([
      { status: "blocked", count: 1 },
      { status: "pending", count: 1 },
    ]);

  await remove(service, company, ids["started"]);
  await receiver.until(2);
  expect(references(receiver)).toEqual(["r1 completed", "r1 pending"]);
});

async function remove(
  service: TestService,
  { accessToken: token }: TestCompany,
  id: string | undefined,
): Promise<void> {
  expect((await service.call("DELETE", `/v1/webhooks/${id}`, { token })).status).toBe(204);
}

async function sendBatch(
  service: TestService,
  { accessToken: token }: TestCompany,
  name: string,
  count: number,
): Promise<void> {
  const transactions = Array.from({ length: count }, (_, index) => ({
    amount: 5_000,
    msisdn: "2250700000000",
    reference: `${name} ${index}`,
  }));
  const answer = await service.call("POST", "/v1/transactions/batch", {
    token,
    body: { transactions },
  });
  expect(answer.status).toBe(201);
}

async function statuses(db: TestDatabase) {
  return db.database.query<{ status: string; count: number }>(
    sql`select status, count(*) as count from deliveries group by status order by status::text`,
  );
}
