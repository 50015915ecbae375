import type { ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { ended, takeInHand } from "../../test/dispatcher.ts";
import {
  startService,
  type TestCompany,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import {
  deliveriesOf,
  patience,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { recordTold } from "./dispatch-store.ts";
import type { Held } from "./held.ts";

const started = "transactions/started";
const completed = "transactions/completed";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

test("what a node tells for the first time is listed as pending before it is written down, and is written once", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_received, response) => void held.push(response));
  const { started: id } = await subscribe(service, company, receiver.url, [started]);
  const sent = await send(service, company, "r1");
  await receiver.until(1);

  const [pending] = await deliveriesOf(service, company, id);
  expect(pending).toStrictEqual({
    id: "1",
    webhookId: id,
    topic: started,
    status: "pending",
    attempts: 0,
    nextAttemptAt: timestamp,
    waitingFor: null,
    createdAt: timestamp,
    updatedAt: pending.createdAt,
    log: [],
  });
  expect(pending.createdAt >= sent.createdAt).toBe(true);
  const again = `/v1/webhooks/${id}/deliveries/1/redeliver`;
  const answer = await service.call("POST", again, { token: company.accessToken });
  expect([answer.status, answer.body]).toStrictEqual([
    200,
    { ...pending, nextAttemptAt: timestamp },
  ]);
  expect(await db.database.query(sql`select 1 from deliveries`)).toEqual([]);

  held[0]?.writeHead(202).end("thanks");
  await untilAttempts(db.database, 1);
  expect(await deliveriesOf(service, company, id)).toStrictEqual([
    {
      ...pending,
      status: "delivered",
      attempts: 1,
      nextAttemptAt: null,
      updatedAt: timestamp,
      log: [
        {
          attempt: 1,
          startedAt: timestamp,
          durationMs: expect.any(Number),
          statusCode: 202,
          error: null,
          response: "thanks",
        },
      ],
    },
  ]);
  expect(await db.database.query(sql`select 1 from attempts`)).toEqual([]);
  await expect.poll(() => db.database.query(sql`select 1 from claims`), patience).toEqual([]);
});

test("what a node had in hand when it died is told by another once its claim has run out, in order", async ({
  db,
  company,
}) => {
  const quiet = await startNode(db, "api,worker");
  const receiver = await startReceiver();
  await subscribe(quiet, company, receiver.url, [started, completed]);
  for (const reference of ["r1", "r2"]) await send(quiet, company, reference);
  const events = async () => (await db.database.query(sql`select 1 from events`)).length;
  await expect.poll(events, patience).toBe(4);
  const dead = await takeInHand(db.database, company.id, receiver.url);
  expect(dead).toHaveLength(4);
  // One it has told and written down.
  await tell(db, company, dead.slice(0, 1));

  await startNode(db, "webhooks");
  await db.database.query(sql`update claims set claimed_until = now() - interval '1 second'`);
  await receiver.until(3);
  await untilAttempts(db.database, 4);
  const order = receiver.received.map(({ body }) => `${body.data.reference} ${body.data.status}`);
  expect(order.toSorted()).toEqual(["r1 completed", "r2 completed", "r2 pending"]);
  expect(order.indexOf("r2 pending")).toBeLessThan(order.indexOf("r2 completed"));
});

test("claims of one object that run out one after the other leave nothing waiting for what nobody has in hand", async ({
  db,
  company,
}) => {
  const receiver = await startReceiver();
  const api = await startNode(db, "api");
  await subscribe(api, company, receiver.url, [started, completed]);
  await send(api, company, "r1");
  const nodeId = newUuid(Date.now());
  const [first] = await takeInHand(db.database, company.id, receiver.url, { nodeId });
  await startNode(db, "worker");
  await untilSettled(db.database);
  const held = [first?.claim.id ?? ""];
  expect(await takeInHand(db.database, company.id, receiver.url, { nodeId, held })).toHaveLength(1);

  await db.database.query(sql`
    update claims set claimed_until = now() - interval '1 second' where id = ${held[0]}`);
  await takeInHand(db.database, company.id, receiver.url);
  expect(await db.database.query(sql`select status from deliveries`)).toEqual([
    { status: "blocked" },
  ]);
  await db.database.query(sql`update claims set claimed_until = now() - interval '1 second'`);
  await startNode(db, "webhooks");

  await receiver.until(2);
  expect(receiver.received.map(({ body }) => body.data.status)).toEqual(["pending", "completed"]);
});

test("an event waits while an earlier one of its object is in the hand of another node", async ({
  db,
  company,
}) => {
  const receiver = await startReceiver();
  const api = await startNode(db, "api");
  const ids = await subscribe(api, company, receiver.url, [started, completed]);
  await send(api, company, "r1");
  const inHand = await takeInHand(db.database, company.id, receiver.url);
  expect(inHand).toHaveLength(1);

  await startNode(db, "worker,webhooks");
  await expect
    .poll(async () => (await deliveriesOf(api, company, ids["completed"]))[0], patience)
    .toMatchObject({ status: "blocked", attempts: 0 });
  await send(api, company, "r2");
  await receiver.until(2);
  expect(new Set(receiver.received.map(({ body }) => body.data.reference))).toEqual(
    new Set(["r2"]),
  );

  await tell(db, company, inHand);
  await receiver.until(3);
  expect(receiver.received[2]?.body.data).toMatchObject({ reference: "r1", status: "completed" });
});

test("a claim goes when each of its deliveries has a row, whatever its node believes", async ({
  db,
  company,
}) => {
  const api = await startNode(db, "api");
  await subscribe(api, company, "http://127.0.0.1:9/", [started]);
  for (const reference of ["r1", "r2"]) await send(api, company, reference);
  const inHand = await takeInHand(db.database, company.id, "http://127.0.0.1:9/");
  const claims = () => db.database.query(sql`select 1 from claims`);

  await tell(db, company, inHand.slice(0, 1));
  expect(await claims()).toHaveLength(1);
  await tell(db, company, inHand);
  expect(await claims()).toEqual([]);
  expect(await db.database.query(sql`select attempts from deliveries`)).toEqual([
    { attempts: 1 },
    { attempts: 1 },
  ]);
});

test("what a node claimed without getting the answer is told before anything later of its object", async ({
  db,
  company,
}) => {
  const api = await startNode(db, "api");
  const url = "http://127.0.0.1:9/";
  await subscribe(api, company, url, ["charge/events"]);
  const subject = newUuid(Date.now());
  const node = newUuid(Date.now());
  const claimNext = async (status: string, held: readonly Held[] = []) => {
    await db.database.query(sql`
      select publish_events(${company.id}, 'charge/events', array[${subject}::uuid], array[${`{"status":"${status}"}`}])`);
    const claims = [...new Set(held.map(({ claim }) => claim.id))];
    return takeInHand(db.database, company.id, url, { nodeId: node, held: claims });
  };
  const statuses = () =>
    db.database.query(sql`
    select event_number, status from deliveries order by event_number`);

  const first = await claimNext("paid");
  expect(first).toHaveLength(1);
  // The node knows of the first claim, but its answer about the second was lost.
  expect(await claimNext("refunded", first)).toHaveLength(1);
  expect(await claimNext("refunded again", first)).toEqual([]);
  expect(await statuses()).toEqual([
    { event_number: 2, status: "blocked" },
    { event_number: 3, status: "blocked" },
  ]);
  await tell(db, company, first);
  expect(await statuses()).toEqual([
    { event_number: 1, status: "delivered" },
    { event_number: 2, status: "pending" },
    { event_number: 3, status: "blocked" },
  ]);
});

async function startNode(db: TestDatabase, roles: string) {
  const node = await startService(db, { ROLES: roles });
  onTestFinished(() => node.stop());
  return node;
}

/** Writes down that these were acknowledged, as the node that has them in hand would. */
async function tell(db: TestDatabase, { id }: TestCompany, all: readonly Held[]): Promise<void> {
  const told = all.map((held) => ended(held, "delivered"));
  await recordTold(db.database, id, told, [...new Set(all.map(({ claim }) => claim))]);
}
