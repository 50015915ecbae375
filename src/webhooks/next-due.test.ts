import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { patience, send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { fanOut, selectNextDueMs, takeDeliveries } from "./deliveries-store.ts";
import { createWebhook } from "./manage-webhooks.ts";
import { endpointIdOf } from "./webhook.ts";

const topic = "transactions/completed";
const slowUrl = "http://127.0.0.1:9/slow";
const goodUrl = "http://127.0.0.1:9/good";
const slow = endpointIdOf(slowUrl);
const good = endpointIdOf(goodUrl);
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** A company with something due now at two endpoints. */
async function makeTold({ database }: TestDatabase): Promise<string> {
  const { id } = await makeCompany(database);
  for (const url of [slowUrl, goodUrl])
    await database.transaction((tx) => createWebhook(tx, new Date(), id, { topic, url }));
  await publish(database, id);
  await fanOut(database, id, 500, 0);
  return id;
}

async function publish(database: TestDatabase["database"], id: string): Promise<void> {
  const subject = newUuid(Date.now());
  await database.query(sql`
    select publish_events(${id}, ${topic}, array[${subject}::uuid], array['{}'])`);
}

function nextDueMs(
  { database }: TestDatabase,
  id: string,
  pauses: Record<string, number>,
  eventsPauseMs = 0,
): Promise<number | undefined> {
  const entries = new Map(Object.entries(pauses));
  return database.transaction((tx) => selectNextDueMs(tx, id, entries, eventsPauseMs));
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

test("new events have a pause of their own, and nothing at all is nothing", async ({ db }) => {
  const id = await makeTold(db);
  await db.database.query(sql`update deliveries set status = 'delivered'`);
  expect(await nextDueMs(db, id, {}, minuteMs)).toBeUndefined();

  await publish(db.database, id);
  expect(await nextDueMs(db, id, {})).toBe(0);
  const dueMs = (await nextDueMs(db, id, {}, minuteMs)) ?? 0;
  expect(dueMs).toBeGreaterThan(minuteMs / 2);
});

test("while an endpoint is tried with one probe, what waits behind it is not due", async ({
  db,
}) => {
  const id = await makeTold(db);
  await publish(db.database, id);
  await fanOut(db.database, id, 500, 0);
  await db.database.query(
    sql`update deliveries set status = 'delivered' where endpoint_id = ${good}`,
  );
  await db.database.query(sql`update endpoints set failures = 10 where id = ${slow}`);
  expect(await nextDueMs(db, id, {})).toBe(0);

  expect(await takeDeliveries(db.database, id, newUuid(Date.now()), 8, new Map())).toHaveLength(1);
  expect(await takeDeliveries(db.database, id, newUuid(Date.now()), 8, new Map())).toHaveLength(0);
  const dueMs = (await nextDueMs(db, id, {})) ?? 0;
  expect(dueMs).toBeGreaterThan(15_000);
  expect(dueMs).toBeLessThanOrEqual(30_000);
});

test("a company that has told everything has no further turns", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await untilAttempts(db.database, 2);
  // As if the time were over in which the sender may have died.
  await db.database.query(sql`update work set ready_at = now() where queue = 'webhooks'`);
  await db.database.query(sql`select pg_notify('work_ready', 'webhooks')`);
  await expect.poll(() => db.database.query(sql`select queue from work`), patience).toEqual([]);
});
