import { expect, onTestFinished } from "vitest";
import { makeCompany, startService, type TestDatabase, test } from "../../test/fixtures.ts";
import { patience, type Receiver, send, startReceiver, subscribe } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

test("two nodes on one database deliver every event; what comes twice has the same webhook-id", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const other = await startService(db);
  onTestFinished(() => other.stop());
  const receivers = [await startReceiver(), await startReceiver()];
  for (const { url } of receivers) await subscribe(service, company, url);
  const ids = await Promise.all(
    Array.from(
      { length: 60 },
      async (_, index) => (await send(index % 2 === 0 ? service : other, company, `r${index}`)).id,
    ),
  );
  await untilAllDelivered(db, 240);

  for (const receiver of receivers) expect(heard(receiver)).toEqual(expected(ids));
  const messages = new Map<unknown, Set<string>>();
  for (const { headers, raw } of receivers.flatMap(({ received }) => received)) {
    const bodies = messages.get(headers["webhook-id"]) ?? new Set();
    messages.set(headers["webhook-id"], bodies.add(raw));
  }
  expect(messages.size).toBe(240);
  expect([...messages.values()].filter(({ size }) => size !== 1)).toEqual([]);
});

test("a node stopped in the middle and another started later lose nothing and keep the order", async ({
  db,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const first = await startService(db);
  const receiver = await startReceiver((_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 20);
  });
  await subscribe(first, company, receiver.url);
  const ids: string[] = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => (await send(first, company, `r${index}`)).id),
  );
  await receiver.until(10);
  await first.stop();
  const atStop = receiver.received.length;
  expect(atStop).toBeLessThan(160);
  // It has given back what it did not send: nobody has to wait for its claims to run out.
  const inHand = sql`
    select 1 from claims union all select 1 from deliveries where claim_id is not null`;
  expect(await db.database.query(inHand)).toEqual([]);

  const second = await startService(db);
  onTestFinished(() => second.stop());
  await untilAllDelivered(db, 160);
  expect(heard(receiver)).toEqual(expected(ids));
  const seen = new Set<string>();
  const disordered = receiver.received.filter(({ body }) => {
    if (body.data.status === "pending") seen.add(body.data.id);
    return !seen.has(body.data.id);
  });
  expect(disordered).toEqual([]);
});

/** Each notification once, however often it came. */
function heard({ received }: Receiver): string[] {
  return [...new Set(received.map(({ body }) => `${body.data.id} ${body.data.status}`))].toSorted();
}

function expected(ids: readonly string[]): string[] {
  return ids.flatMap((id) => [`${id} completed`, `${id} pending`]).toSorted();
}

async function untilAllDelivered(db: TestDatabase, count: number): Promise<void> {
  await expect
    .poll(
      () =>
        db.database.query(sql`
          select status, count(*) as count, min(attempts) as least from deliveries group by status`),
      patience,
    )
    .toEqual([{ status: "delivered", count, least: 1 }]);
}
