import { createSecretKey } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { patience, startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { systemClock } from "../kernel/clock.ts";
import { newUuid } from "../kernel/ids.ts";
import { Metrics } from "../kernel/metrics.ts";
import { Dispatcher } from "./dispatcher.ts";
import { EgressClient } from "./egress.ts";
import { createWebhook } from "./manage-webhooks.ts";

const topic = "charge/events";
/** More than a node takes in hand for an endpoint that has not answered yet. */
const many = 200;

test("the full queue of an endpoint that hangs delays no turn of its company's other endpoints", async ({
  db: { database },
}) => {
  const { id } = await makeCompany(database);
  const receiver = await startReceiver((received, response) => {
    if (received.path === "/good") response.writeHead(200).end();
  });
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
    payloadsOf: async () => [],
    inFlightPerEndpoint: 1,
    onMore: () => {},
    outcomes: metrics.counter("outcomes", "outcomes"),
    seconds: metrics.histogram("seconds", "seconds", [1]),
  });
  onTestFinished(async () => {
    await receiver.stop();
    await dispatcher.stop();
    await client.close();
  });
  for (const path of ["hangs", "good"]) {
    const webhook = { topic, url: `${receiver.url}/${path}` } as const;
    await database.transaction((tx) => createWebhook(tx, new Date(), id, webhook));
  }
  const subjects = Array.from({ length: many }, () => newUuid(Date.now()));
  await database.query(sql`
    select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);

  // The hanging one is given up after a minute: nobody waits for that.
  const goodOnes = async () => {
    await dispatcher.work(id);
    return receiver.received.filter(({ path }) => path === "/good").length;
  };
  await expect.poll(goodOnes, patience).toBe(many);
  expect(receiver.received.filter(({ path }) => path === "/hangs")).toHaveLength(1);
  // What there was no room for is written down.
  const written = await database.query<{ count: number }>(sql`
    select count(*) as count from deliveries where status = 'pending'`);
  expect(written[0]?.count).toBeGreaterThan(0);
});
