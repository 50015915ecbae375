import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  lookAgain,
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { claimedForMs } from "./delivery-policy.ts";

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

  // As if the sender had been away for longer than its claim. It is written down, and another node has it in hand.
  await db.database.query(sql`update endpoints set open_until = now() + interval '1 hour'`);
  await db.database.query(sql`update claims set claimed_until = now() - interval '1 second'`);
  await lookAgain(db.database);
  const written = async () => (await db.database.query(sql`select 1 from deliveries`)).length;
  await expect.poll(written, patience).toBe(1);
  await db.database.query(sql`
    update deliveries set claim_id = ${randomUUID()}, claimed_until = now() + interval '1 hour'`);
  held[0]?.writeHead(500).end("late");
  await untilAttempts(db.database, 1);
  expect((await deliveriesOf(service, company, id))[0]).toMatchObject({
    status: "pending",
    attempts: 1,
  });
  expect(await db.database.query(sql`select failures from endpoints`)).toEqual([{ failures: 0 }]);

  await db.database.query(sql`update deliveries set claim_id = null, claimed_until = null`);
  await db.database.query(sql`update endpoints set open_until = null`);
  await lookAgain(db.database);
  await receiver.until(2);
  held[1]?.writeHead(200).end("in time");
  await untilAttempts(db.database, 2);
  const [delivery] = await deliveriesOf(service, company, id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 2, nextAttemptAt: null });
  expect(delivery.log).toMatchObject([
    { attempt: 1, statusCode: 500, response: "late" },
    { attempt: 2, statusCode: 200, response: "in time" },
  ]);
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
  const [second] = await deliveriesOf(service, company, ids["completed"]);
  const again = `/v1/webhooks/${ids["started"]}/deliveries/${first.id}/redeliver`;
  await service.call("POST", again, { token: company.accessToken });
  await receiver.until(3);

  await db.database.transaction(async (tx) => {
    await tx.query(sql`
      select requeue_deliveries(${company.id}, ${ids["completed"]}, array[${second.id}::bigint], 1000)`);
    isHolding = false;
    held[0]?.writeHead(200).end();
    await whileOpen(db, 3);
  });
  await expect
    .poll(async () => (await deliveriesOf(service, company, ids["completed"]))[0], patience)
    .toMatchObject({ status: "delivered", attempts: 2 });
});

test("an event that another node takes while the one before it is being acknowledged is not forgotten", async ({
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
    await tx.query(sql`
      select claim_events(
        ${company.id}, ${newUuid(Date.now())}, ${newUuid(Date.now())}, '{}', '{}', 500, 0, 120, ${claimedForMs}, 3)`);
    expect(await tx.query(sql`select status from deliveries`)).toEqual([{ status: "blocked" }]);
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
    const rows = await db.database.query<{ count: number }>(sql`
      select coalesce(sum(attempts), 0)::integer as count from deliveries`);
    if ((rows[0]?.count ?? 0) >= attempts) return;
    await sleep(20);
  }
}
