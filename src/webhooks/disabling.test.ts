import { expect } from "vitest";
import { ended, listen, takeInHand } from "../../test/dispatcher.ts";
import { makeCompany, type TestDatabase, test, untilSettled } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  lookAgain,
  passTime,
  patience,
  type Received,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { recordAttempts } from "./dispatch-store.ts";
import { enableWebhook } from "./manage-webhooks.ts";
import { replayDeliveries } from "./replay-deliveries.ts";

// Not started: that one is given up sooner.
const completed = "transactions/completed";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const references = (received: readonly Received[]) =>
  received.map(({ body }) => String(body.data.reference)).toSorted();

test("410 disables the webhook: what was pending is cancelled, nothing more is sent, others go on", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const witness = await startReceiver();
  const { completed: id = "" } = await subscribe(service, company, receiver.url, [completed]);
  await subscribe(service, company, witness.url, [completed]);
  for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);
  await untilAttempts(db.database, 6);

  status = 410;
  await db.database.query(sql`
    update deliveries set next_attempt_at = now() where webhook_id = ${id} and event_number in (
      select min(event_number) from deliveries where webhook_id = ${id})`);
  await lookAgain(db.database);
  await untilAttempts(db.database, 7);

  const token = company.accessToken;
  const { body } = await service.call("GET", `/v1/webhooks/${id}`, { token });
  expect(body).toMatchObject({
    id,
    disabledAt: timestamp,
    disabledReason: "The receiver answered 410 Gone.",
    updatedAt: body.disabledAt,
  });
  expect((await service.call("GET", "/v1/webhooks", { token })).body.data).toContainEqual(body);
  const deliveries = await deliveriesOf(service, company, id);
  expect(deliveries.map(({ status: state }: { status: string }) => state)).toEqual([
    "cancelled",
    "cancelled",
    "failed",
  ]);

  await passTime(db.database);
  await send(service, company, "r4");
  await witness.until(4);
  expect(references(witness.received)).toEqual(["r1", "r2", "r3", "r4"]);
  expect(receiver.received).toHaveLength(4);
});

test("five days of nothing but failures disable the webhook; enabling puts it back into service", async ({
  db,
  service,
  company,
}) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { completed: id = "" } = await subscribe(service, company, receiver.url, [completed]);
  const see = async () =>
    (await service.call("GET", `/v1/webhooks/${id}`, { token: company.accessToken })).body;
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  await failingSince(db, "119 hours");
  await passTime(db.database);
  await untilAttempts(db.database, 2);
  expect(await see()).toMatchObject({ disabledAt: null, disabledReason: null });

  await failingSince(db, "121 hours");
  await passTime(db.database);
  await untilAttempts(db.database, 3);
  expect(await see()).toMatchObject({
    disabledAt: timestamp,
    disabledReason: "Every attempt has failed for 5 days.",
  });
  expect(await deliveriesOf(service, company, id)).toMatchObject([
    { status: "cancelled", attempts: 3, nextAttemptAt: null },
  ]);

  status = 200;
  const enabled = await enableWebhook(db.database, company.id, id);
  expect(enabled).toMatchObject({ id, disabledAt: null, disabledReason: null });
  expect(await see()).toMatchObject({ disabledAt: null, disabledReason: null });
  await send(service, company, "r2");
  await receiver.until(4);
  expect(references(receiver.received)).toEqual(["r1", "r1", "r1", "r2"]);
  expect(
    await db.database.query(sql`select failures, failing_since, open_until from endpoints`),
  ).toEqual([{ failures: 0, failing_since: null, open_until: null }]);
});

test("days of failures disable the webhooks of the company that had them, and of no other at that address", async ({
  db,
  company,
}) => {
  const topic = "charge/events";
  const url = "http://127.0.0.1:9/hooks";
  const other = await makeCompany(db.database);
  for (const { id } of [company, other]) await listen(db.database, id, { topic, url });
  const subject = newUuid(Date.now());
  await db.database.query(sql`
    select publish_events(${company.id}, ${topic}, array[${subject}]::uuid[], '{"{}"}'::text[])`);
  await db.database.query(sql`
    update endpoints set failures = 1, failing_since = now() where company_id = ${company.id}`);
  await failingSince(db, "121 hours");
  const inHand = await takeInHand(db.database, company.id, url);
  expect(inHand).toHaveLength(1);
  await recordAttempts(
    db.database,
    company.id,
    inHand.map((held) => ended(held, "retry")),
    [],
  );

  const rows = await db.database.query<{ company_id: string; is_disabled: boolean }>(sql`
    select company_id, disabled_at is not null as is_disabled from webhooks`);
  expect(rows).toHaveLength(2);
  for (const { company_id, is_disabled } of rows)
    expect(is_disabled).toBe(company_id === company.id);
});

test("one success in five days is enough to stay in service", async ({ db, service, company }) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { completed: id } = await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 1);
  await failingSince(db, "121 hours");
  status = 200;
  await passTime(db.database);
  await untilAttempts(db.database, 2);
  status = 500;
  await send(service, company, "r2");
  await untilAttempts(db.database, 3);

  const { body } = await service.call("GET", `/v1/webhooks/${id}`, { token: company.accessToken });
  expect(body.disabledAt).toBeNull();
});

test.for([
  ["beside another", 1],
  ["being the only one", 0],
] as const)(
  "what a disabled webhook missed can be replayed once it is enabled: %s",
  async ([, others], { db, service, company }) => {
    const since = new Date(Date.now() - 60_000);
    let status = 410;
    const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
    const { completed: id = "" } = await subscribe(service, company, receiver.url, [completed]);
    const witness = await startReceiver();
    if (others > 0) await subscribe(service, company, witness.url, [completed]);
    await send(service, company, "r1");
    await untilAttempts(db.database, 1 + others);
    for (const reference of ["r2", "r3"]) await send(service, company, reference);
    await untilSettled(db.database);
    await witness.until(3 * others);

    status = 200;
    await enableWebhook(db.database, company.id, id);
    const request = { companyId: company.id, webhookId: id, since, failedOnly: true };
    for await (const _ of replayDeliveries(db.database, { ...request, until: new Date() }));
    await expect
      .poll(() => references(receiver.received), patience)
      .toEqual(["r1", "r1", "r2", "r3"]);
    expect(witness.received).toHaveLength(3 * others);
  },
);

async function failingSince(db: TestDatabase, age: string): Promise<void> {
  await db.database.query(
    sql`update endpoints set failing_since = now() - ${age}::interval where failing_since is not null`,
  );
}
