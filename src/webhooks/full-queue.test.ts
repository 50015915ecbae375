import { expect, onTestFinished } from "vitest";
import { makeDispatcher } from "../../test/dispatcher.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { patience, startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
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
  const dispatcher = makeDispatcher(database);
  onTestFinished(() => receiver.stop());
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
