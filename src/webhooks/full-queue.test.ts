import { createSecretKey } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { EgressClient } from "../egress/client.ts";
import { systemClock } from "../kernel/clock.ts";
import { newUuid } from "../kernel/ids.ts";
import { Metrics } from "../kernel/metrics.ts";
import { fanOut } from "./deliveries-store.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { Topic } from "./event.ts";
import { createWebhook } from "./manage-webhooks.ts";

const slow = "transactions/completed";
const good = "charge/events";
/** More than an endpoint is given that has not answered yet. */
const many = 100;

test("the full queue of an endpoint that hangs delays no turn of its company's other endpoints", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database);
  const receiver = await startReceiver(() => {});
  const dispatcher = startDispatcher(db);
  for (const topic of [slow, good] as const) {
    await listen(db.database, id, topic, `${receiver.url}/${topic}`);
  }
  const nextDueMs = () => db.database.transaction((tx) => dispatcher.nextDueMs(tx, id));

  await publish(db.database, id, slow, many);
  for (let turn = 0; turn < 3; turn += 1) await dispatcher.work(id);
  await receiver.until(1);
  // More is due for it, but there is nowhere to put it.
  expect(await nextDueMs()).toBeGreaterThan(0);

  await publish(db.database, id, good, 1);
  expect(await nextDueMs()).toBe(0);
});

test("a receiver that hangs for one company is sent what it is to be told by another, at the same url", async ({
  db,
}) => {
  const receiver = await startReceiver(() => {});
  const dispatcher = startDispatcher(db);
  const companies = [await makeCompany(db.database), await makeCompany(db.database)];

  for (const [place, { id }] of companies.entries()) {
    await listen(db.database, id, good, receiver.url);
    await publish(db.database, id, good, many);
    await dispatcher.work(id);
    await receiver.until(place + 1);
  }
});

/** One request in flight for each endpoint, and a minute for it. */
function startDispatcher({ database }: TestDatabase): Dispatcher {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: 60_000,
    responseBytesMax: 1_024,
    connectionsMax: 1,
  });
  const metrics = new Metrics();
  const dispatcher = new Dispatcher({
    database,
    logger: pino({ level: "silent" }),
    clock: systemClock,
    client,
    brand: "service",
    secretsOf: async () => [createSecretKey(Buffer.from("sk_test"))],
    inFlightPerEndpoint: 1,
    onRecorded: () => {},
    outcomes: metrics.counter("outcomes", "outcomes"),
    seconds: metrics.histogram("seconds", "seconds", [1]),
  });
  onTestFinished(async () => {
    await dispatcher.stop();
    await client.close();
  });
  return dispatcher;
}

async function listen(
  database: Database,
  companyId: string,
  topic: Topic,
  url: string,
): Promise<void> {
  await database.transaction((tx) => createWebhook(tx, new Date(), companyId, { topic, url }));
}

async function publish(
  database: Database,
  companyId: string,
  topic: Topic,
  count: number,
): Promise<void> {
  const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
  await database.query(sql`
    select publish_events(${companyId}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
  await fanOut(database, companyId, 500, 0);
}
