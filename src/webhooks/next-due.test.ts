import { expect } from "vitest";
import { listen } from "../../test/dispatcher.ts";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import {
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
  writeDown,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { setDue, takeDeliveries } from "./dispatch-store.ts";
import { endpointIdOf } from "./webhook.ts";

const topic = "charge/events";
const slowUrl = "http://127.0.0.1:9/slow";
const goodUrl = "http://127.0.0.1:9/good";
const slow = endpointIdOf(slowUrl);
const good = endpointIdOf(goodUrl);
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** A company with something due now at two endpoints. */
async function makeTold({ database }: TestDatabase): Promise<string> {
  const { id } = await makeCompany(database);
  for (const url of [slowUrl, goodUrl]) await listen(database, id, { topic, url });
  await publish(database, id);
  return id;
}

async function publish(database: TestDatabase["database"], id: string): Promise<void> {
  const subject = newUuid(Date.now());
  await database.query(sql`
    select publish_events(${id}, ${topic}, array[${subject}::uuid], array['{}'])`);
  await writeDown(database, id);
}

function nextDueMs(
  { database }: TestDatabase,
  id: string,
  pauses: Record<string, number>,
): Promise<number | undefined> {
  return setDue(database, id, new Map(Object.entries(pauses)));
}

test("an endpoint that has to wait holds up no other of its company", async ({ db }) => {
  const id = await makeTold(db);
  expect(await nextDueMs(db, id, {})).toBe(0);
  expect(await nextDueMs(db, id, { [slow]: hourMs })).toBe(0);

  await db.database.query(sql`
    update deliveries set next_attempt_at = now() + interval '1 minute' where endpoint_id = ${good}`);
  const dueMs = (await nextDueMs(db, id, { [slow]: hourMs })) ?? 0;
  expect(dueMs).toBeGreaterThan(minuteMs / 2);
  expect(dueMs).toBeLessThanOrEqual(minuteMs);
});

test("when all have to wait, the turn comes when the first may go on", async ({ db }) => {
  const id = await makeTold(db);
  const dueMs = (await nextDueMs(db, id, { [slow]: hourMs, [good]: minuteMs })) ?? 0;
  expect(dueMs).toBeGreaterThan(minuteMs / 2);
  expect(dueMs).toBeLessThanOrEqual(minuteMs);
});

test("a pause without anything that waits is nothing", async ({ db }) => {
  const id = await makeTold(db);
  await db.database.query(sql`update deliveries set status = 'delivered'`);
  expect(await nextDueMs(db, id, { [slow]: minuteMs })).toBeUndefined();
  expect(await db.database.query(sql`select due_at from event_cursors`)).toEqual([
    { due_at: null },
  ]);
});

test("while an endpoint is tried with one probe, what waits behind it is not due", async ({
  db,
}) => {
  const id = await makeTold(db);
  await publish(db.database, id);
  await db.database.query(
    sql`update deliveries set status = 'delivered' where endpoint_id = ${good}`,
  );
  await db.database.query(
    sql`update endpoints set failures = 10, opened_at = now() where id = ${slow}`,
  );
  expect(await nextDueMs(db, id, {})).toBe(0);

  expect(await takeDeliveries(db.database, id, newUuid(Date.now()), new Map())).toHaveLength(1);
  expect(await takeDeliveries(db.database, id, newUuid(Date.now()), new Map())).toHaveLength(0);
  const dueMs = (await nextDueMs(db, id, {})) ?? 0;
  expect(dueMs).toBeGreaterThan(15_000);
  expect(dueMs).toBeLessThanOrEqual(30_000);
});

test("a company that has told everything is left alone: nothing is in hand, nothing is due", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilAttempts(db.database, 2);
  const left = sql`
    select 'due' as what from event_cursors where due_at is not null union all select 'claim' from claims`;
  await expect.poll(() => db.database.query(left), patience).toEqual([]);
});
