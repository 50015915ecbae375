import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { untilLockAwaited } from "../../test/locks.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { redeliver } from "./deliveries.ts";
import { WebhookDisabled, WebhookNotFound } from "./errors.ts";
import { createWebhook, deleteWebhook } from "./manage-webhooks.ts";
import { replayDeliveries } from "./replay-deliveries.ts";

const topic = "charge/events";
const url = "http://127.0.0.1:9/hooks";
const range = { since: new Date(0), until: new Date(Date.now() + 3_600_000), failedOnly: false };

test("a replay ends when its webhook is deleted, and leaves nothing queued", async ({ db }) => {
  const { companyId, webhookId } = await makeDelivered(db, 1_200);
  const replay = replayDeliveries(db.database, { companyId, webhookId, ...range });
  expect((await replay.next()).value).toBe(500);
  expect(await countPending(db)).toBe(500);

  await deleteWebhook(db.database, companyId, webhookId);
  await expect(replay.next()).rejects.toThrow(WebhookNotFound);
  expect(await countPending(db)).toBe(0);
});

test("a replay ends when its webhook is disabled, and nothing is sent again to a disabled one", async ({
  db,
}) => {
  const { companyId, webhookId } = await makeDelivered(db, 600);
  const replay = replayDeliveries(db.database, { companyId, webhookId, ...range });
  await replay.next();
  await db.database.query(sql`update webhooks set disabled_at = now(), disabled_reason = 'x'`);
  await expect(replay.next()).rejects.toThrow(WebhookDisabled);
  await expect(redeliver(db.database, companyId, webhookId, 600, operator())).rejects.toThrow(
    WebhookDisabled,
  );
  expect(await countPending(db)).toBe(500);
});

test("a deletion that comes between the look at a webhook and the queueing wins", async ({
  db,
}) => {
  const { companyId, webhookId } = await makeDelivered(db, 1);
  let redelivered: Promise<unknown> | undefined;
  await db.database.transaction(async (tx) => {
    await tx.query(sql`select lock_deliveries(${companyId}, 1000)`);
    // It finds the webhook and its delivery, and waits for the lock.
    redelivered = redeliver(db.database, companyId, webhookId, 1, operator()).catch(
      (error: unknown) => error,
    );
    await untilLockAwaited(db.database);
    await tx.query(sql`select cancel_deliveries(${companyId}, ${webhookId})`);
    await tx.query(sql`delete from webhooks where company_id = ${companyId} and id = ${webhookId}`);
  });
  expect(await redelivered).toBeInstanceOf(WebhookNotFound);
  expect(await countPending(db)).toBe(0);
});

test("an endpoint goes with its last webhook, and the next one at that address starts without its failures", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
  const ids = await subscribe(service, company, receiver.url, [
    "transactions/started",
    "transactions/completed",
  ]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  // As if its first minute were over: until then its row would stay, for its bucket of requests.
  await db.database.query(sql`
    update endpoints set tries_until = now(), failures = 40, failing_since = now() - interval '6 days', open_until = now() + interval '1 hour'`);
  const remove = async (id: string | undefined) =>
    service.call("DELETE", `/v1/webhooks/${id}`, { token: company.accessToken });
  expect((await remove(ids["started"])).status).toBe(204);
  expect(await endpoints(db)).toHaveLength(1);
  expect((await remove(ids["completed"])).status).toBe(204);
  expect(await endpoints(db)).toEqual([]);

  const { started: id } = await subscribe(service, company, receiver.url, ["transactions/started"]);
  const [fresh] = await endpoints(db);
  expect(fresh).toMatchObject({ failures: 0, failing_since: null });
  // When its company has a turn just now it is being sent a test event, and pauses for 15 seconds: not for the hour of the one before.
  expect(fresh?.open_until?.getTime() ?? 0).toBeLessThan(Date.now() + 30 * 60_000);
  await send(service, company, "r2");
  await receiver.until(2);
  await untilAttempts(db.database, 2);
  expect(await endpoints(db)).toMatchObject([{ failures: 1, open_until: null }]);
  const see = await service.call("GET", `/v1/webhooks/${id}`, { token: company.accessToken });
  expect(see.body.disabledAt).toBeNull();
});

test("a company that registers and deletes webhooks for ever leaves no endpoint behind", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database);
  for (let round = 0; round < 30; round += 1) {
    const request = { topic, url: `${url}/${round}` } as const;
    const webhook = await db.database.transaction((tx) => createWebhook(tx, id, request));
    await deleteWebhook(db.database, id, webhook.id);
  }
  expect(
    await db.database.query(sql`select 1 from endpoints union all select 1 from webhooks`),
  ).toEqual([]);
});

/** A webhook with so many deliveries that have arrived. */
async function makeDelivered({ database }: TestDatabase, count: number) {
  const { id: companyId } = await makeCompany(database);
  const webhook = await database.transaction((tx) => createWebhook(tx, companyId, { topic, url }));
  await database.query(sql`
    insert into deliveries (
      company_id, webhook_id, event_number, endpoint_id, subject_id, status, attempts, tries, created_at, updated_at,
      told_at, told_ms, told_code)
    select w.company_id, w.id, n, w.endpoint_id, gen_random_uuid(), 'delivered', 1, 1, now(), now(), now(), 1, 200
    from webhooks w, generate_series(1, ${count}) as n`);
  return { companyId, webhookId: webhook.id };
}

async function countPending({ database }: TestDatabase): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from deliveries where status in ('pending', 'blocked')`);
  return rows[0]?.count ?? 0;
}

function endpoints({ database }: TestDatabase) {
  return database.query<{ open_until: Date | null }>(sql`
    select failures, failing_since, open_until from endpoints`);
}
