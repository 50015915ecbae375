import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import {
  type Received,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
  writeDown,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { firstAttemptDelayMs } from "./delivery-policy.ts";

test("nobody hears of a transfer before its caller has the answer, nor within 100 ms of the commit", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  const answeredAt = new Map<string, number>();
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { id } = await send(service, company, `r${index}`);
      answeredAt.set(id, Date.now());
    }),
  );
  await receiver.until(60);

  const started = receiver.received.filter(({ body }) => body.data.status === "pending");
  expect(started).toHaveLength(30);
  const early = started.filter(
    ({ atMs, body }) => atMs < (answeredAt.get(body.data.id) ?? Number.POSITIVE_INFINITY),
  );
  expect(early).toEqual([]);
  const writtenAt = await eventTimes(db);
  const soon = receiver.received.filter((received) => afterEvent(writtenAt, received) < 100);
  expect(soon).toEqual([]);
});

test("an event that waited behind another of its object is not sent within 100 ms of its own commit either", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((received, response) => {
    if (received.body.data.status === "paid") held.push(response);
    else response.writeHead(200).end();
  });
  await subscribe(service, company, receiver.url, ["charge/events"]);
  for (let round = 1; round <= 5; round += 1) {
    const subject = newUuid(Date.now());
    const publish = (status: string) => sql`
      select publish_events(${company.id}, 'charge/events', array[${subject}::uuid],
        array[${JSON.stringify({ data: { round, status }, topic: "charge/events" })}])`;
    await db.database.query(publish("paid"));
    await db.database.query(sql`select pg_notify('work_ready', 'webhooks')`);
    await receiver.until(round * 2 - 1);
    await db.database.query(publish("refunded"));
    await writeDown(db.database, company.id, firstAttemptDelayMs);
    held.pop()?.writeHead(200).end();
    await untilAttempts(db.database, round * 2 - 1);
    // As any other work would: senders look for what is due now.
    await db.database.query(sql`select pg_notify('work_ready', 'webhooks')`);
    await receiver.until(round * 2);
    await untilAttempts(db.database, round * 2);
  }

  const writtenAt = await eventTimes(db);
  const pauses = receiver.received.map((received) => afterEvent(writtenAt, received));
  expect(pauses).toHaveLength(10);
  expect(pauses.filter((pause) => pause < 100)).toEqual([]);
});

/** When each event was written, by its number: the start of its transaction, so before the commit. */
async function eventTimes(db: TestDatabase): Promise<ReadonlyMap<number, number>> {
  const rows = await db.database.query<{ number: number; created_at: Date }>(
    sql`select number, created_at from events`,
  );
  return new Map(rows.map(({ number, created_at }) => [number, created_at.getTime()]));
}

function afterEvent(writtenAt: ReadonlyMap<number, number>, { headers, atMs }: Received): number {
  const [, , number] = String(headers["webhook-id"]).split("_");
  return atMs - (writtenAt.get(Number(number)) ?? Number.POSITIVE_INFINITY);
}
