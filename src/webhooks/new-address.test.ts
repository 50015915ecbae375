import { expect } from "vitest";
import { makeDispatcher } from "../../test/dispatcher.ts";
import { box, makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  patience,
  type Receiver,
  send,
  startReceiver,
  subscribe,
  untilNothingInHand,
} from "../../test/receiver.ts";
import { setBack } from "../../test/set-back.ts";
import { SigningSecrets } from "../companies/signing-secrets.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { triesPerMinute, tryPauseMs } from "./delivery-policy.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { createWebhook, deleteWebhook } from "./manage-webhooks.ts";
import { signedHeaders } from "./signature.ts";

const topic = "charge/events";

test("a new address is sent one signed test event; it is no delivery, and no second webhook there brings another", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  await receiver.until(2);

  expect(receiver.tests).toHaveLength(1);
  const [{ headers, raw, body }] = receiver.tests as [(typeof receiver.tests)[0]];
  const { webhookId } = body.data;
  expect(Object.values(ids)).toContain(webhookId);
  expect(body).toStrictEqual({
    data: { webhookId, createdAt: expect.stringMatching(/Z$/) },
    topic: "webhooks/test",
  });
  const [secret] = await new SigningSecrets(db.database, new Signals(db.url, db.database), box).of(
    company.id,
  );
  const id = `msg_${webhookId.replaceAll("-", "")}_test`;
  const now = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const message = { id, topic: "webhooks/test", payload: raw } as const;
  expect(headers).toMatchObject({
    ...signedHeaders("service", secret === undefined ? [] : [secret], now, message),
    "x-service-webhook-test": "true",
  });
  for (const { headers: others } of receiver.received)
    expect(others).not.toHaveProperty("x-service-webhook-test");
  await untilNothingInHand(db.database);
  for (const webhook of Object.values(ids))
    for (const delivery of await deliveriesOf(service, company, webhook))
      expect(delivery).toMatchObject({ attempts: 1, status: "delivered" });
});

test("an address that refuses its test event gets three notifications at once and one more after each pause; once it acknowledges one, all follow in order", async ({
  db,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(404).end());
  receiver.respondToTest = receiver.respond;
  const { id } = await makeCompany(db.database);
  await register(db, id, receiver.url);
  await publish(db, id, 20);
  const dispatcher = makeDispatcher(db.database);
  // The first notification is due a moment after its event.
  const settled = async () => {
    await settleDown(db, dispatcher, id);
    return [receiver.tests.length, receiver.received.length];
  };
  await expect.poll(settled, patience).toEqual([1, 3]);
  expect(await settled()).toEqual([1, 3]);

  for (const count of [4, 5]) {
    await endPause(db);
    await expect.poll(settled, patience).toEqual([1, count]);
    expect(await settled()).toEqual([1, count]);
  }
  receiver.respond = (_received, response) => response.writeHead(204).end();
  await endPause(db);
  await expect
    .poll(async () => {
      await dispatcher.work(id);
      return (await db.database.query(sql`select 1 from deliveries where status = 'delivered'`))
        .length;
    }, patience)
    .toBe(20);
  expect(receiver.tests).toHaveLength(1);
  const numbers = receiver.received.slice(5).map(({ body }) => Number(body.data.number));
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
});

test("twenty webhooks on a host that never says yes: thirty requests a minute together, whatever is due", async ({
  db,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(404).end());
  receiver.respondToTest = receiver.respond;
  const { id } = await makeCompany(db.database);
  for (let place = 0; place < 20; place += 1) await register(db, id, `${receiver.url}/${place}`);
  await publish(db, id, 20);
  const dispatcher = makeDispatcher(db.database);
  for (let round = 0; round < 10; round += 1) {
    await endPause(db);
    await settleDown(db, dispatcher, id);
  }
  expect(receiver.tests).toHaveLength(20);
  expect(receiver.received).toHaveLength(triesPerMinute - 20);
  // It is not looked at again before the minute is over.
  const [cursor] = await db.database.query<{ seconds: number }>(sql`
    select extract(epoch from due_at - now())::float8 as seconds from event_cursors`);
  expect(cursor?.seconds).toBeGreaterThan(5);

  await setBack(db.database, "quotas", "since", "1 minute");
  await endPause(db);
  const heard = async () => {
    await settleDown(db, dispatcher, id);
    return receiver.received.length;
  };
  await expect.poll(heard, patience).toBe(triesPerMinute - 20 + triesPerMinute);
  expect(await heard()).toBe(triesPerMinute - 20 + triesPerMinute);
});

test("registering and deleting webhooks over and over sends no more than that", async ({ db }) => {
  const receiver = await startReceiver();
  const { id } = await makeCompany(db.database);
  const dispatcher = makeDispatcher(db.database);
  for (let round = 0; round < triesPerMinute + 10; round += 1) {
    const webhook = await register(db, id, `${receiver.url}/${round}`);
    await dispatcher.work(id);
    await settleDown(db, dispatcher, id);
    await deleteWebhook(db.database, id, webhook.id);
  }
  expect(receiver.tests).toHaveLength(triesPerMinute);
});

test("one address that is registered and deleted over and over gets what one gets that stays", async ({
  db,
}) => {
  const receiver = await startReceiver();
  const { id } = await makeCompany(db.database);
  const dispatcher = makeDispatcher(db.database);
  const started = Date.now();
  for (let round = 0; round < 10; round += 1) {
    const webhook = await register(db, id, receiver.url);
    await dispatcher.work(id);
    await settleDown(db, dispatcher, id);
    await deleteWebhook(db.database, id, webhook.id);
  }
  const inAMinute = 60_000 / tryPauseMs;
  const since = Math.ceil((Date.now() - started) / tryPauseMs);
  expect(receiver.tests.length).toBeGreaterThanOrEqual(inAMinute);
  expect(receiver.tests.length).toBeLessThanOrEqual(inAMinute + since);

  // Another address does not wait for it, and nothing is left of it once its minute is over.
  const empty = await register(db, id, receiver.url);
  await register(db, id, `${receiver.url}/other`);
  await settleDown(db, dispatcher, id);
  expect(receiver.tests.at(-1)?.path).toBe("/other");
  await deleteWebhook(db.database, id, empty.id);
  const endpoints = sql`select 1 from endpoints`;
  expect(await db.database.query(endpoints)).toHaveLength(2);
  await setBack(db.database, "endpoints", "tries_until", "1 minute");
  await forgetDeliveries(db.database, id);
  expect(await db.database.query(endpoints)).toHaveLength(1);
});

test("while a new address is tested, what is told elsewhere is told", async ({ db }) => {
  const receiver: Receiver = await startReceiver();
  receiver.respondToTest = ({ path }, response) => {
    if (path === "/good") response.writeHead(200).end();
  };
  const { id } = await makeCompany(db.database);
  for (const path of ["good", "hangs"]) await register(db, id, `${receiver.url}/${path}`);
  const dispatcher = makeDispatcher(db.database);
  await expect
    .poll(async () => {
      await dispatcher.work(id);
      return db.database.query(sql`select 1 from endpoints where proved_at is not null`);
    }, patience)
    .toHaveLength(1);
  await publish(db, id, 3);
  await dispatcher.work(id);
  await receiver.until(3);
  expect(receiver.received.map(({ path }) => path)).toEqual(["/good", "/good", "/good"]);
});

function register({ database }: TestDatabase, id: string, url: string) {
  return database.transaction((tx) => createWebhook(tx, id, { topic, url }));
}

/** So many events, each of an object of its own. */
async function publish({ database }: TestDatabase, id: string, count: number): Promise<void> {
  const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
  const payloads = subjects.map((_, place) =>
    JSON.stringify({ data: { number: place + 1 }, topic }),
  );
  await database.query(sql`
    select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${payloads}::text[])`);
}

/** As if the pause between two requests to each new address were over. */
async function endPause({ database }: TestDatabase): Promise<void> {
  await database.query(sql`
    update endpoints set open_until = null, tries_until = tries_until - make_interval(secs => ${tryPauseMs / 1_000})
    where proved_at is null`);
  const numbers = await database.query<{ number: number }>(sql`
    select distinct event_number as number from deliveries where status = 'pending' and claim_id is null`);
  for (const { number } of numbers)
    await database.query(sql`
      update deliveries set next_attempt_at = now() - make_interval(secs => ${100 - number})
      where event_number = ${number} and status = 'pending' and claim_id is null`);
  await database.query(sql`update event_cursors set due_at = now()`);
}

/** Turns until nothing is on its way any more. */
async function settleDown(db: TestDatabase, dispatcher: Dispatcher, id: string): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await dispatcher.work(id);
    await expect.poll(() => dispatcher.isSending, patience).toBe(false);
    await untilNothingInHand(db.database);
  }
}
