import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { selectEventRange, selectEvents } from "./events-store.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { createWebhook } from "./manage-webhooks.ts";

const topic = "charge/events";

test("what happens to many at once is written in runs, and read as if each had a row", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database);
  const subjects = await publish(db, id, 150);
  const more = await publish(db, id, 1);

  expect(await runsOf(db)).toEqual([
    { last_number: 64, count: 64 },
    { last_number: 128, count: 64 },
    { last_number: 150, count: 22 },
    { last_number: 151, count: 1 },
  ]);
  const whole = { after: 0, upto: 151 };
  const all = await selectEvents(db.database, id, whole, [topic], 1_000);
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 151 }, (_, n) => n + 1));
  expect(all.map(({ subject_id }) => subject_id)).toEqual([...subjects, ...more]);
  expect(all.map(({ payload }) => payload)).toEqual([...subjects, ...more]);
  expect(await db.database.query(sql`select number from events order by number`)).toEqual(
    all.map(({ number }) => ({ number })),
  );
});

test("events between two numbers are those, wherever their runs begin", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  await publish(db, id, 150);
  for (const [after, upto] of [
    [0, 1],
    [63, 64],
    [63, 66],
    [10, 20],
    [60, 130],
    [149, 150],
    [150, 160],
  ] as const) {
    const events = await selectEvents(db.database, id, { after, upto }, [topic], 1_000);
    const numbers = Array.from({ length: Math.min(upto, 150) - after }, (_, n) => after + 1 + n);
    expect(events.map(({ number }) => number)).toEqual(numbers);
  }
});

test("a reader comes as far as it may look, also in the middle of a run, and is told of the last gap", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database);
  await publish(db, id, 150);
  const range = (after: number, lookedAtMax: number) =>
    selectEventRange(db.database, id, after, lookedAtMax);

  expect(await range(0, 1_000)).toEqual({ last: 150, upto: 150, behind_gap: null });
  expect(await range(0, 100)).toEqual({ last: 150, upto: 100, behind_gap: null });
  expect(await range(30, 1)).toEqual({ last: 150, upto: 31, behind_gap: null });
  expect(await range(30, 100)).toEqual({ last: 150, upto: 130, behind_gap: null });
  expect(await range(150, 100)).toEqual({ last: 150, upto: null, behind_gap: null });

  await db.database.query(sql`delete from event_runs where last_number = 128`);
  expect(await range(0, 1_000)).toEqual({ last: 150, upto: 150, behind_gap: 129 });
  expect(await range(0, 64)).toEqual({ last: 150, upto: 64, behind_gap: null });
  expect(await range(0, 70)).toEqual({ last: 150, upto: 134, behind_gap: 129 });
  expect(await range(100, 10)).toEqual({ last: 150, upto: 138, behind_gap: 129 });
  expect(await range(128, 10)).toEqual({ last: 150, upto: 138, behind_gap: null });
});

test("a run is kept while one of its events is needed", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  await db.database.transaction((tx) =>
    createWebhook(tx, id, { topic, url: "http://127.0.0.1:9/" }),
  );
  await publish(db, id, 150);
  await db.database.query(sql`update event_runs set created_at = now() - interval '31 days'`);
  await db.database.query(sql`update event_cursors set last_event = 150`);
  await db.database.query(sql`
    insert into deliveries (company_id, webhook_id, event_number, endpoint_id, subject_id, status, attempts, tries, created_at,
      updated_at)
    select w.company_id, w.id, 100, w.endpoint_id, w.id, 'delivered', 1, 1, now(), now() from webhooks w`);

  await forgetDeliveries(db.database, id);

  expect(await runsOf(db)).toEqual([{ last_number: 128, count: 64 }]);
});

/** Answers what it happened to, in order; each payload is its subject's id. */
async function publish({ database }: TestDatabase, companyId: string, count: number) {
  const subjects = Array.from({ length: count }, () => randomUUID());
  await database.query(sql`
    select publish_events(${companyId}, ${topic}, ${subjects}::uuid[], ${subjects}::text[])`);
  return subjects;
}

function runsOf({ database }: TestDatabase) {
  return database.query(sql`
    select last_number, cardinality(subject_ids) as count from event_runs order by last_number`);
}
