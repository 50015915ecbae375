import { expect, onTestFinished } from "vitest";
import { listen, makeDispatcher } from "../../test/dispatcher.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { patience, startReceiver } from "../../test/receiver.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";

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
  for (const path of ["hangs", "good"])
    await listen(database, id, { topic, url: `${receiver.url}/${path}` });
  await publish(database, id);

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

test("a receiver that hangs for one company is sent what it is to be told by another, at the same url", async ({
  db: { database },
}) => {
  const receiver = await startReceiver(() => {});
  const dispatcher = makeDispatcher(database);
  onTestFinished(() => receiver.stop());
  const companies = [await makeCompany(database), await makeCompany(database)];

  for (const [place, { id }] of companies.entries()) {
    await listen(database, id, { topic, url: receiver.url });
    await publish(database, id);
    await dispatcher.work(id);
    await receiver.until(place + 1);
  }
});

async function publish(database: Database, companyId: string): Promise<void> {
  const subjects = Array.from({ length: many }, () => newUuid(Date.now()));
  await database.query(sql`
    select publish_events(${companyId}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
}
