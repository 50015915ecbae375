import { createSecretKey } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
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
  db: { database },
}) => {
  const { id } = await makeCompany(database);
  const receiver = await startReceiver(() => {});
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: 60_000,
    responseBytesMax: 1_024,
    connectionsPerOrigin: 1,
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
    await receiver.stop();
    await dispatcher.stop();
    await client.close();
  });
  for (const topic of [slow, good] as const) {
    const webhook = { topic, url: `${receiver.url}/${topic}` };
    await database.transaction((tx) => createWebhook(tx, new Date(), id, webhook));
  }
  const publish = async (topic: Topic, count: number) => {
    const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
    await database.query(sql`
      select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
    await fanOut(database, id, 500, 0);
  };
  const nextDueMs = () => database.transaction((tx) => dispatcher.nextDueMs(tx, id));

  await publish(slow, many);
  for (let turn = 0; turn < 3; turn += 1) await dispatcher.work(id);
  await receiver.until(1);
  // More is due for it, but there is nowhere to put it.
  expect(await nextDueMs()).toBeGreaterThan(0);

  await publish(good, 1);
  expect(await nextDueMs()).toBe(0);
});
