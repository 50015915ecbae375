import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type TestCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { ReplayUnderWay, WebhookDisabled } from "./errors.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { disableWebhook } from "./manage-webhooks.ts";
import { getReplay, runReplays, startReplay } from "./run-replays.ts";

const hour = 3_600_000;
const by = { personId: randomUUID(), address: "192.0.2.1", via: "POST /console" };
const count = 1_300;

/** As many deliveries as take several steps, every third of which failed; no node tells any of them. */
async function fill({ database }: TestDatabase, { id }: TestCompany): Promise<string> {
  await database.query(sql`
    insert into endpoints (company_id, id) values (${id}, ${id})`);
  await database.query(sql`
    insert into webhooks (company_id, id, endpoint_id, topic, url, from_event, created_at, updated_at)
    values (${id}, ${id}, ${id}, 'transactions/completed', 'https://shop.example/', 0, now(), now())`);
  await database.query(sql`
    insert into deliveries (
      company_id, webhook_id, event_number, endpoint_id, subject_id, status, attempts, tries, updated_at, created_at)
    select ${id}, ${id}, 9 * n, ${id}, gen_random_uuid(),
      (case when n % 3 = 0 then 'failed' else 'delivered' end)::delivery_status, 1, 1, now(), now() - interval '1 minute'
    from generate_series(1, ${count}) as n`);
  return id;
}

const requestOf = (company: TestCompany, webhookId: string, failedOnly: boolean) => ({
  companyId: company.id,
  webhookId,
  since: new Date(Date.now() - hour),
  until: new Date(),
  failedOnly,
});

test("two workers at one replay queue every delivery of it once, and only one replay is under way", async ({
  db,
  company,
}) => {
  const { database } = db;
  const webhookId = await fill(db, company);
  const request = requestOf(company, webhookId, true);
  const replay = await startReplay(database, new Date(), request, by);
  await expect(startReplay(database, new Date(), request, by)).rejects.toThrow(ReplayUnderWay);

  let told = 0;
  const work = () =>
    runReplays(
      database,
      company.id,
      () => true,
      () => (told += 1),
    );
  await Promise.all([work(), work(), work()]);

  const after = await getReplay(database, company.id, webhookId, replay.id);
  expect(after).toMatchObject({ queued: Math.floor(count / 3), isStopped: false });
  expect(after.endedAt).not.toBeNull();
  expect(after.nextEvent).toBe(after.endEvent);
  expect(told).toBeGreaterThan(2);
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from deliveries where company_id = ${company.id} and status in ('pending', 'blocked')`);
  expect(rows[0]?.count).toBe(Math.floor(count / 3));
  const again = await startReplay(database, new Date(), request, by);
  expect(again.id).not.toBe(replay.id);
});

test("a replay that is cut off goes on where it was, and ends where its webhook is taken out of service", async ({
  db,
  company,
}) => {
  const { database } = db;
  const webhookId = await fill(db, company);
  const replay = await startReplay(database, new Date(), requestOf(company, webhookId, false), by);
  const find = () => getReplay(database, company.id, webhookId, replay.id);
  let steps = 1;
  await runReplays(
    database,
    company.id,
    () => (steps -= 1) >= 0,
    () => {},
  );
  const half = await find();
  expect(half).toMatchObject({ queued: 500, endedAt: null });

  await disableWebhook(database, company.id, webhookId, by);
  await runReplays(
    database,
    company.id,
    () => true,
    () => {},
  );

  expect(await find()).toMatchObject({ queued: 500, isStopped: true });
  const waiting = await database.query(sql`
    select 1 from deliveries where company_id = ${company.id} and status in ('pending', 'blocked')`);
  expect(waiting).toEqual([]);
  await expect(
    startReplay(database, new Date(), requestOf(company, webhookId, false), by),
  ).rejects.toThrow(WebhookDisabled);
  await database.query(sql`update replays set ended_at = now() - interval '31 days'`);
  await forgetDeliveries(database, company.id);
  expect(await database.query(sql`select 1 from replays`)).toEqual([]);
});

test("what a replay queues is sent again by the service, under the same name", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, ["transactions/completed"]);
  for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);
  await untilAttempts(db.database, 3);

  await startReplay(db.database, new Date(), requestOf(company, ids["completed"] ?? "", false), by);

  await untilAttempts(db.database, 6);
  const names = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  expect(names.slice(3).toSorted()).toEqual(names.slice(0, 3).toSorted());
});
