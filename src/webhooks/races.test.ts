import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";

const completed = "transactions/completed";

test("an answer that comes after its claim ran out is logged, and the newer claim decides", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_received, response) => void held.push(response));
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  await receiver.until(1);

  // As if the sender had been away for longer than its claim: somebody else sends it again.
  await db.database.query(sql`update deliveries set claimed_until = now()`);
  await db.database.query(sql`update work set ready_at = now() where queue = 'webhooks'`);
  await receiver.until(2);
  held[0]?.writeHead(500).end("late");
  await untilAttempts(db.database, 1);
  held[1]?.writeHead(200).end("in time");
  await untilAttempts(db.database, 2);

  const [delivery] = await deliveriesOf(service, company, id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 2, nextAttemptAt: null });
  expect(delivery.log).toMatchObject([
    { attempt: 1, statusCode: 500, response: "late" },
    { attempt: 2, statusCode: 200, response: "in time" },
  ]);
  expect(receiver.received).toHaveLength(2);
});

test("a redelivery asked for while an earlier event of the object is being acknowledged is not forgotten", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  let isHolding = false;
  const receiver = await startReceiver((_received, response) =>
    isHolding ? void held.push(response) : void response.writeHead(200).end(),
  );
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilAttempts(db.database, 2);
  isHolding = true;
  const [first] = await deliveriesOf(service, company, ids["started"]);
  const again = `/v1/webhooks/${ids["started"]}/deliveries/${first.id}/redeliver`;
  await service.call("POST", again, { token: company.accessToken });
  await receiver.until(3);

  await db.database.transaction(async (tx) => {
    await tx.query(sql`
      select requeue_deliveries(company_id, webhook_id, array[event_number])
      from deliveries where topic = ${completed}`);
    isHolding = false;
    held[0]?.writeHead(200).end();
    await whileOpen(db, 3);
  });
  await expect
    .poll(async () => (await deliveriesOf(service, company, ids["completed"]))[0], patience)
    .toMatchObject({ status: "delivered", attempts: 2 });
});

test("an event that is told while the one before it is being acknowledged is not forgotten", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((received, response) =>
    received.body.data.status === "paid"
      ? void held.push(response)
      : void response.writeHead(200).end(),
  );
  const { events: id } = await subscribe(service, company, receiver.url, ["charge/events"]);
  const subject = newUuid(Date.now());
  const publish = (status: string) => sql`
    select publish_events(${company.id}, 'charge/events', array[${subject}::uuid],
      array[${JSON.stringify({ data: { status }, topic: "charge/events" })}])`;
  await db.database.query(publish("paid"));
  await receiver.until(1);

  await db.database.transaction(async (tx) => {
    await tx.query(publish("refunded"));
    await tx.query(sql`select fan_out_events(${company.id}, 500, interval '120 milliseconds')`);
    held[0]?.writeHead(200).end();
    await whileOpen(db, 1);
  });
  await expect
    .poll(async () => deliveriesOf(service, company, id), patience)
    .toMatchObject([
      { status: "delivered", attempts: 1 },
      { status: "delivered", attempts: 1 },
    ]);
  expect(receiver.received.map(({ body }) => body.data.status)).toEqual(["paid", "refunded"]);
});

/**
 * Keeps a transaction open while the answer is written down. If that has to wait for the transaction,
 * which is one way to get this right, it goes on after a while.
 */
async function whileOpen(db: TestDatabase, attempts: number): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const rows = await db.database.query(sql`select 1 from attempts`);
    if (rows.length >= attempts) return;
    await sleep(20);
  }
}
