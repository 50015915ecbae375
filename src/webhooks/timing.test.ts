import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { patience, type Received, send, startReceiver, subscribe } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

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
    if (received.body.data.status === "pending") held.push(response);
    else response.writeHead(200).end();
  });
  await subscribe(service, company, receiver.url);
  const subject = sql`select id from transfers limit 1`;
  await send(service, company, "r1");
  await receiver.until(1);
  const [transfer] = await db.database.query<{ id: string }>(subject);
  // The next event of the same object comes while the first is still being told; then the first is acknowledged.
  for (let round = 0; round < 5; round += 1) {
    await db.database.query(sql`
      select publish_events(${company.id}, 'transactions/failed', array[${transfer?.id}::uuid],
        array[${JSON.stringify({ data: { round }, topic: "transactions/failed" })}])`);
  }
  const waiting = sql`select 1 from deliveries where status = 'blocked'`;
  await expect.poll(async () => (await db.database.query(waiting)).length, patience).toBe(6);
  held[0]?.writeHead(200).end();
  await receiver.until(7);

  const writtenAt = await eventTimes(db);
  const pauses = receiver.received.map((received) => afterEvent(writtenAt, received));
  expect(pauses.filter((pause) => pause < 100)).toEqual([]);
});

/** When each event was written, by its exact payload: the start of its transaction, so before the commit. */
async function eventTimes(db: TestDatabase): Promise<ReadonlyMap<string, number>> {
  const rows = await db.database.query<{ payload: string; created_at: Date }>(
    sql`select payload, created_at from events`,
  );
  return new Map(rows.map(({ payload, created_at }) => [payload, created_at.getTime()]));
}

function afterEvent(writtenAt: ReadonlyMap<string, number>, { raw, atMs }: Received): number {
  return atMs - (writtenAt.get(raw) ?? Number.POSITIVE_INFINITY);
}
