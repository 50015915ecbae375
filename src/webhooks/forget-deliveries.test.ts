import { expect } from "vitest";
import { eventByEvent } from "../../test/event-by-event.ts";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { untilLockAwaited } from "../../test/locks.ts";
import { patience, send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { createWebhook } from "./manage-webhooks.ts";

const started = "transactions/started";
const completed = "transactions/completed";

test("of what is in no month, what has been finished for 30 days is forgotten; what is younger, unfinished or was repeated lately is kept", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, [started, completed]);
  for (const reference of ["r1", "r2", "r3", "r4", "r5"]) await send(service, company, reference);
  await untilAttempts(db.database, 10);
  expect(await forgetDeliveries(db.database, company.id)).toBe(false);
  expect(await counts(db)).toEqual({ events: 10, deliveries: 10, attempts: 10 });

  // The first eight events are old. Of their deliveries one waits again, and one was repeated last week.
  await db.database.query({ text: eventByEvent, values: [] });
  await db.database.query(sql`
    update event_runs set created_at = now() - interval '31 days' where last_number <= 8`);
  await db.database.query(sql`
    update deliveries set created_at = now() - interval '99 days', updated_at = now() - interval '31 days'
    where event_number <= 8`);
  const numbers = await db.database.query<{ event_number: number }>(sql`
    select event_number from deliveries
    where webhook_id = ${ids["completed"]} and event_number <= 8 order by event_number`);
  await db.database.query(sql`
    update deliveries set status = 'pending', next_attempt_at = now() + interval '1 hour'
    where event_number = ${numbers[0]?.event_number}`);
  await db.database.query(sql`
    update deliveries set updated_at = now() - interval '7 days'
    where event_number = ${numbers[1]?.event_number}`);

  expect(await forgetDeliveries(db.database, company.id)).toBe(false);

  expect(await counts(db)).toEqual({ events: 4, deliveries: 4, attempts: 4 });
  const kept = await db.database.query<{ number: number }>(sql`
    select number from events order by number`);
  expect(kept.map(({ number }) => number)).toEqual([
    numbers[0]?.event_number,
    numbers[1]?.event_number,
    9,
    10,
  ]);
});

test("what is queued again while old ones are being forgotten is kept, and told", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, [started, completed]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 2);
  await db.database.query(sql`update event_runs set created_at = now() - interval '31 days'`);
  await db.database.query(sql`
    update deliveries set created_at = now() - interval '99 days', updated_at = now() - interval '31 days'`);

  let forgetting: Promise<boolean> | undefined;
  await db.database.transaction(async (tx) => {
    const [first] = await tx.query<{ event_number: number }>(sql`
      select event_number from deliveries where webhook_id = ${ids["started"]}`);
    await tx.query(sql`
      select requeue_deliveries(${company.id}, ${ids["started"]}, array[${first?.event_number}::bigint], 1000)`);
    forgetting = forgetDeliveries(db.database, company.id);
    await untilLockAwaited(db.database);
  });
  expect(await forgetting).toBe(false);
  await receiver.until(3);
  expect(receiver.received[2]?.raw).toBe(receiver.received[0]?.raw);
  await expect
    .poll(() => db.database.query(sql`select status, attempts from deliveries`), patience)
    .toEqual([{ status: "delivered", attempts: 2 }]);
});

test("what nobody has taken yet is kept, however old it is; without a webhook nothing is", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database);
  const publish = sql`
    select publish_events(${id}, 'charge/events', array[${id}::uuid], array['{}'])`;
  await db.database.query(publish);
  const makeOld = sql`update event_runs set created_at = now() - interval '31 days'`;
  await db.database.query(makeOld);
  await forgetDeliveries(db.database, id);
  const events = () => db.database.query(sql`select number from events`);
  expect(await events()).toEqual([]);

  await db.database.transaction((tx) =>
    createWebhook(tx, id, { topic: "charge/events", url: "http://127.0.0.1:9/" }),
  );
  await db.database.query(publish);
  await db.database.query(makeOld);
  await forgetDeliveries(db.database, id);
  expect(await events()).toEqual([{ number: 2 }]);
});

async function counts(db: TestDatabase) {
  const rows = await db.database.query(sql`
    select (select count(*) from events) as events, (select count(*) from deliveries) as deliveries,
      (select sum(attempts) from deliveries)::integer as attempts`);
  return rows[0];
}
