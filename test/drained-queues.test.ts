import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { selectNextExpiryMs, selectOverdueIds } from "../src/charges/store.ts";
import { Database } from "../src/database/database.ts";
import { measureDeliveries } from "../src/webhooks/measure-deliveries.ts";
import { ChargeClient, expire } from "./charges.ts";
import { growingTables } from "./filled-database.ts";
import { startService, test } from "./fixtures.ts";
import { notOnCluster } from "./on-cluster.ts";
import { canExplain, explainEverything, findScans, PlanTap, readIndexes } from "./plans.ts";
import { send, startReceiver, subscribe, untilAttempts } from "./receiver.ts";

/** Of the webhook, the endpoint and the charges that the queues were of. */
const mark = "11111111-1111-4111-8111-111111111111";

/**
 * What waits is found by indexes of what waits. After a long queue has drained, such an index has hundreds of pages and
 * a handful of entries, which makes it look expensive beside an index of everything that there ever was.
 */
const drained = [
  `insert into deliveries (company_id, webhook_id, event_number, endpoint_id, subject_id, created_at, updated_at,
      next_attempt_at, status, attempts, tries)
    select $1, $2, number, $2, gen_random_uuid(), now(), now(), now() + interval '1 year', 'pending', 0, 0
    from generate_series(1000000, 1020000) as number`,
  `update deliveries set status = 'delivered', next_attempt_at = null
    where company_id = $1 and webhook_id = $2 and event_number <= 1019998`,
  `insert into charges (company_id, id, external_id, description, amount, fee, fee_rate_ppm, status, dropped_reason,
      paid, refunded, attempts, on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at,
      expires_at)
    select $1, gen_random_uuid(), $2 || number::text, 'Order', 500, 0, 0, 'due', null, 0, 0, 0,
      'https://shop.example/', 'https://shop.example/', now(), now(), now() + interval '1 year' + number * interval '1 s'
    from generate_series(1, 20000) as number`,
  `update charges set paid = amount, attempts = 1, status = 'paid'
    where company_id = $1 and external_id like $2 || '%' and expires_at < now() + interval '1 year 19998 s'`,
  "vacuum deliveries, charges",
];

test("what waits is found by the index of what waits, also after a long queue has drained", async ({
  db,
  company,
  skip,
}) => {
  notOnCluster({ skip }, "plans");
  skip(!(await canExplain(db.database)), "only a superuser can have plans shown");
  await fillAndDrain(db.url, company.id);
  await explainEverything(db.database);
  const tap = await PlanTap.before(db.url);
  const database = new Database({ url: tap.url, poolSize: 4 });
  const service = await startService({ url: tap.url, database });
  onTestFinished(async () => {
    await service.stop();
    await database.close();
    await tap.close();
  });
  const receiver = await startReceiver((_, response) => response.writeHead(500).end());
  const { started } = await subscribe(service, company, receiver.url);
  for (const reference of ["a", "b", "c"]) await send(service, company, reference);
  // What has started was tried; what has ended waits behind it.
  await untilAttempts(db.database, 3);
  await measureDeliveries(database);
  const token = company.accessToken;
  expect((await service.call("DELETE", `/v1/webhooks/${started}`, { token })).status).toBe(204);

  const charge = await new ChargeClient(service, company).made();
  await expire(db, charge);
  expect(await selectOverdueIds(database, company.id, 10)).toEqual([charge]);
  expect(await database.transaction((tx) => selectNextExpiryMs(tx, company.id))).toBeLessThan(0);

  // Statements of functions that use the indexes: each would find nothing wrong if it had not run.
  const names = [
    "distinct y.id",
    "insert into deliveries",
    "min(w.due)",
    "count(*), extract",
    "i.expires_at",
  ];
  const isSeen = (name: string) => tap.plans.some(({ statement }) => statement.includes(name));
  expect(names.filter((name) => !isSeen(name))).toEqual([]);
  const scans = findScans(tap.plans, growingTables, await readIndexes(db.database));
  expect(scans.join("\n\n")).toBe("");
});

async function fillAndDrain(url: string, companyId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    for (const statement of drained)
      await client.query(statement, statement.includes("$1") ? [companyId, mark] : []);
  } finally {
    await client.end();
  }
}
