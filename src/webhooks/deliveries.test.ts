import { expect } from "vitest";
import { makeCompany, type TestCompany, type TestService, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  passTime,
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";

const completed = "transactions/completed";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

test("a delivery: exactly the documented fields, while it waits and when it has arrived", async ({
  db,
  service,
  company,
}) => {
  let status = 502;
  const receiver = await startReceiver((_received, response) =>
    response.writeHead(status).end("a\u0000b"),
  );
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  expect((await list(service, company, id)).body).toStrictEqual({
    count: 0,
    limit: 15,
    cursor: { prev: null, next: null },
    data: [],
  });
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  const attempt = {
    attempt: 1,
    startedAt: timestamp,
    durationMs: expect.any(Number),
    statusCode: 502,
    error: null,
    response: "a\ufffdb",
  };
  const [waiting] = await deliveriesOf(service, company, id);
  expect(waiting).toStrictEqual({
    id: expect.stringMatching(/^[1-9]\d*$/),
    webhookId: id,
    topic: completed,
    status: "pending",
    attempts: 1,
    nextAttemptAt: timestamp,
    waitingFor: "retry",
    createdAt: timestamp,
    updatedAt: timestamp,
    log: [attempt],
  });
  expect(waiting.nextAttemptAt > waiting.updatedAt).toBe(true);
  expect(waiting.log[0].startedAt >= waiting.createdAt).toBe(true);

  status = 200;
  await passTime(db.database);
  await untilAttempts(db.database, 2);
  expect(await deliveriesOf(service, company, id)).toStrictEqual([
    {
      ...waiting,
      status: "delivered",
      attempts: 2,
      nextAttemptAt: null,
      waitingFor: null,
      updatedAt: timestamp,
      log: [attempt, { ...attempt, attempt: 2, statusCode: 200 }],
    },
  ]);
});

test("the list: newest first, in pages both ways, of this webhook only", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await subscribe(service, company, `${receiver.url}/other`);
  for (let index = 0; index < 5; index += 1) await send(service, company, `r${index}`);
  await untilAttempts(db.database, 15);
  const all = await deliveriesOf(service, company, id);
  const numbers = all.map((delivery: { id: string }) => Number(delivery.id));
  expect(numbers).toHaveLength(5);
  expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a));

  const page = async (query: string) => (await list(service, company, id, query)).body;
  const first = await page("?limit=2");
  expect([first.count, first.limit, first.cursor.prev]).toEqual([2, 2, null]);
  const second = await page(`?limit=2&cursor=${first.cursor.next}`);
  const third = await page(`?limit=2&cursor=${second.cursor.next}`);
  expect([first, second, third].flatMap(({ data }) => data)).toStrictEqual(all);
  expect([third.count, third.cursor.next]).toEqual([1, null]);
  const back = await page(`?limit=2&cursor=${third.cursor.prev}`);
  expect(back.data).toStrictEqual(second.data);
  const start = await page(`?limit=2&cursor=${back.cursor.prev}`);
  expect([start.data, start.cursor.prev]).toStrictEqual([first.data, null]);

  for (const query of ["?limit=0", "?limit=101", "?cursor=x"])
    expect((await list(service, company, id, query)).status, query).toBe(400);
  const others = await makeCompany(db.database);
  const { completed: foreign } = await subscribe(service, others, receiver.url, [completed]);
  const cursor = `?cursor=${first.cursor.next}`;
  expect((await list(service, others, foreign, cursor)).body.code).toBe("invalid_cursor");
});

test("redeliver: what had arrived is sent again, the same bytes under the same webhook-id, and counted on", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  const [arrived] = await deliveriesOf(service, company, id);

  const answer = await redeliver(service, company, id, arrived.id);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    ...arrived,
    status: "pending",
    nextAttemptAt: timestamp,
    updatedAt: timestamp,
  });
  const [first, second] = await receiver.until(2);
  expect(second?.raw).toBe(first?.raw);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  await untilAttempts(db.database, 2);
  const [again] = await deliveriesOf(service, company, id);
  expect(again).toMatchObject({ id: arrived.id, status: "delivered", attempts: 2 });
  expect(again.log.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2]);
  expect(again.log[0]).toStrictEqual(arrived.log[0]);
});

test("redeliver: a redelivery that fails has the whole schedule before it again", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  for (const attempt of [1, 2, 3]) {
    await untilAttempts(db.database, attempt);
    if (attempt === 3) status = 200;
    await passTime(db.database);
  }
  await untilAttempts(db.database, 4);
  status = 500;
  const [{ id: delivery }] = await deliveriesOf(service, company, id);
  await redeliver(service, company, id, delivery);
  await untilAttempts(db.database, 5);

  const [again] = await deliveriesOf(service, company, id);
  expect(again).toMatchObject({ status: "pending", attempts: 5 });
  const pause = Date.parse(again.nextAttemptAt) - Date.parse(again.updatedAt);
  expect(pause).toBeGreaterThanOrEqual(3_900);
  expect(pause).toBeLessThanOrEqual(6_100);
});

test("404: a delivery that is not this webhook's, another company's or no number at all; 401: no token", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilAttempts(db.database, 2);
  const other = await makeCompany(db.database);
  const { completed: own } = await subscribe(service, other, receiver.url, [completed]);
  const [started] = await deliveriesOf(service, company, ids["started"]);

  const wrong = [started.id, "0", "-1", "1.5", "x", "999999", "9".repeat(40), "%00", "01"];
  for (const delivery of wrong) {
    const answer = await redeliver(service, company, ids["completed"], delivery);
    expect([answer.status, answer.body.code], delivery).toEqual([404, "delivery_not_found"]);
  }
  const foreign = await redeliver(service, other, ids["started"], started.id);
  expect([foreign.status, foreign.body.code]).toEqual([404, "webhook_not_found"]);
  const crossed = await redeliver(service, other, own, started.id);
  expect([crossed.status, crossed.body.code]).toEqual([404, "delivery_not_found"]);
  expect((await list(service, other, ids["started"])).status).toBe(404);
  const path = `/v1/webhooks/${ids["started"]}/deliveries`;
  expect((await service.call("GET", path)).status).toBe(401);
  expect((await service.call("POST", `${path}/${started.id}/redeliver`)).status).toBe(401);
  await expect.poll(() => receiver.received.length, patience).toBe(2);
});

function list(
  service: TestService,
  { accessToken: token }: TestCompany,
  id: string | undefined,
  query = "",
) {
  return service.call("GET", `/v1/webhooks/${id}/deliveries${query}`, { token });
}

function redeliver(
  service: TestService,
  { accessToken: token }: TestCompany,
  id: string | undefined,
  delivery: string,
) {
  return service.call("POST", `/v1/webhooks/${id}/deliveries/${delivery}/redeliver`, { token });
}
