import { expect } from "vitest";
import { type TestCompany, type TestService, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const started = "transactions/started";
const completed = "transactions/completed";

test("a delivery says what it waits for and until when, which is never in the past", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
  const ids = await subscribe(service, company, receiver.url, [started, completed]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  const see = async (webhook: string) => {
    const before = Date.now();
    const [delivery] = await deliveriesOf(service, company, ids[webhook]);
    if (delivery.nextAttemptAt !== null)
      expect(Date.parse(delivery.nextAttemptAt)).toBeGreaterThanOrEqual(before - 1);
    return delivery;
  };
  await expect
    .poll(() => see("completed"), patience)
    .toMatchObject({ status: "blocked", waitingFor: "earlier_event", nextAttemptAt: null });
  expect(await see("started")).toMatchObject({ status: "pending", waitingFor: "retry" });

  // What is due, and what is far in the past because its node is late, goes now.
  await db.database.query(sql`
    update deliveries set next_attempt_at = now() - interval '1 hour', claimed_until = now() + interval '1 hour'
    where status = 'pending'`);
  expect(await see("started")).toMatchObject({ waitingFor: null });

  await db.database.query(sql`
    update endpoints set opened_at = now(), open_until = now() + interval '20 minutes'`);
  const held = await see("started");
  expect(held.waitingFor).toBe("circuit_breaker");
  expect(Date.parse(held.nextAttemptAt) - Date.now()).toBeGreaterThan(10 * 60_000);
  await db.database.query(sql`update endpoints set open_until = now() - interval '1 hour'`);
  expect(await see("started")).toMatchObject({ waitingFor: "circuit_breaker" });

  await db.database.query(sql`
    update endpoints set opened_at = null, proved_at = null, open_until = now() + interval '20 minutes'`);
  expect(await see("started")).toMatchObject({ waitingFor: "new_address" });
});

test("a delivery that waits is tried at once when it is redelivered, also behind an open breaker", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  await db.database.query(sql`
    update deliveries set next_attempt_at = now() + interval '1 hour', tries = 5`);
  await db.database.query(sql`
    update endpoints set failures = 10, opened_at = now(), open_until = now() + interval '1 hour'`);

  status = 200;
  const [waiting] = await deliveriesOf(service, company, id);
  expect(waiting.waitingFor).toBe("circuit_breaker");
  expect((await redeliver(service, company, id, waiting.id)).status).toBe(200);
  await receiver.until(2);
  await untilAttempts(db.database, 2);
  expect(await deliveriesOf(service, company, id)).toMatchObject([
    { status: "delivered", attempts: 2, waitingFor: null, nextAttemptAt: null },
  ]);
});

test("one that is being sent is not sent a second time because somebody asks for it", async ({
  service,
  company,
}) => {
  let isAnswered = false;
  const receiver = await startReceiver((_received, response) => {
    setTimeout(() => response.writeHead(200).end(), isAnswered ? 0 : 1_000);
  });
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  await receiver.until(1);
  isAnswered = true;
  const [sending] = await deliveriesOf(service, company, id);
  expect((await redeliver(service, company, id, sending.id)).body.status).toBe("pending");
  await expect
    .poll(async () => (await deliveriesOf(service, company, id))[0]?.status, patience)
    .toBe("delivered");
  expect(receiver.received).toHaveLength(1);
});

test.for([
  [404, { statusCode: 404, error: null }],
  [204, { statusCode: 204, error: null }],
  [undefined, { statusCode: null, error: expect.stringMatching(/./) }],
] as const)(
  "a webhook shows what its url answered to the test event: %s",
  async ([status, testEvent], { service, company }) => {
    const receiver = await startReceiver();
    receiver.respondToTest = (_received, response) => {
      if (status === undefined) response.destroy();
      else response.writeHead(status).end();
    };
    const { accessToken: token } = company;
    const made = await service.call("POST", "/v1/webhooks", {
      token,
      body: { topic: completed, url: receiver.url },
    });
    expect(made.body.testEvent).toBeNull();
    const see = async () =>
      (await service.call("GET", `/v1/webhooks/${made.body.id}`, { token })).body;
    await expect.poll(see, patience).toMatchObject({ testEvent });
    const list = await service.call("GET", "/v1/webhooks", { token });
    expect(list.body.data).toEqual([await see()]);
  },
);

function redeliver(
  service: TestService,
  { accessToken: token }: TestCompany,
  webhook: string | undefined,
  delivery: string,
) {
  return service.call("POST", `/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`, {
    token,
  });
}
