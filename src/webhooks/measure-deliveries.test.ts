import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { writeDown } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { createWebhook } from "./manage-webhooks.ts";
import { measureDeliveries } from "./measure-deliveries.ts";

const topic = "charge/events";

async function publish({ database }: TestDatabase, id: string, subjects: readonly string[]) {
  await database.query(sql`
    select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
  await writeDown(database, id);
}

test("what waits is counted over all companies, up to a thousand for each url, with the age of the oldest", async ({
  db,
}) => {
  expect((await measureDeliveries(db.database)).waiting).toEqual([]);
  for (const count of [3, 1_200]) {
    const { id } = await makeCompany(db.database);
    const webhook = { topic, url: "http://127.0.0.1:9/none" } as const;
    await db.database.transaction((tx) => createWebhook(tx, id, webhook));
    const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
    await publish(db, id, subjects);
    // One more of the first object, which waits behind it.
    if (count === 3) await publish(db, id, subjects.slice(0, 1));
    await db.database.query(sql`
      update deliveries set created_at = now() - interval '1 hour' where subject_id = ${subjects[0]}`);
  }
  const { waiting, openBreakers } = await measureDeliveries(db.database);
  const counts = Object.fromEntries(waiting.map(({ status, count }) => [status, count]));
  expect(counts).toEqual({ pending: 1_003, blocked: 1 });
  for (const { ageSeconds } of waiting) expect(ageSeconds).toBeGreaterThanOrEqual(3_600);
  expect(openBreakers).toBe(0);

  await db.database.query(sql`update deliveries set status = 'delivered'`);
  expect((await measureDeliveries(db.database)).waiting).toEqual([]);
});
