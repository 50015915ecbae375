import { expect } from "vitest";
import { listen, makeDispatcher } from "../../test/dispatcher.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { untilLockAwaited } from "../../test/locks.ts";
import {
  patience,
  send,
  startReceiver,
  subscribe,
  untilNothingInHand,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";

const topic = "charge/events";

test("an event that is being written while a webhook is registered is before it; the next one is told", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  // Somebody listens already, so that the cursor moves.
  await subscribe(service, company, `${receiver.url}/first`, ["transactions/started"]);
  const { accessToken: token } = company;
  const body = { topic, url: `${receiver.url}/new` };
  let registering: Promise<{ readonly status: number }> | undefined;
  await db.database.transaction(async (tx) => {
    await tx.query(publish(company.id, "before"));
    registering = service.call("POST", "/v1/webhooks", { token, body });
    await untilLockAwaited(db.database);
  });
  expect((await registering)?.status).toBe(201);
  expect(
    await db.database.query(sql`select from_event from webhooks where topic = ${topic}`),
  ).toEqual([{ from_event: 1 }]);

  // Without any hint.
  await db.database.query(publish(company.id, "after"));
  await receiver.until(1);
  await send(service, company, "r1");
  await receiver.until(2);
  expect(receiver.received.map(({ path, body: told }) => [path, told.data.status])).toEqual([
    ["/new", "after"],
    ["/first", "pending"],
  ]);
});

test("events without any hint are told all the same, of every company", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [topic]);
  for (const status of ["one", "two", "three"]) {
    await db.database.query(publish(company.id, status));
    await expect.poll(() => receiver.received.at(-1)?.body.data.status, patience).toBe(status);
  }
});

test("a webhook is not told of what happened before it, also when nobody had taken that yet", async ({
  db,
}) => {
  const receiver = await startReceiver();
  const { id } = await makeCompany(db.database);
  await listen(db.database, id, { topic, url: `${receiver.url}/first` });
  await db.database.query(publish(id, "before"));
  await listen(db.database, id, { topic, url: `${receiver.url}/new` });
  await db.database.query(publish(id, "after"));

  const dispatcher = makeDispatcher(db.database);
  const told = async () => {
    await dispatcher.work(id);
    await untilNothingInHand(db.database);
    return receiver.received.map(({ path, body }) => `${path} ${body.data.status}`).toSorted();
  };
  await expect.poll(told, patience).toEqual(["/first after", "/first before", "/new after"]);
});

function publish(companyId: string, status: string) {
  const payload = JSON.stringify({ data: { status }, topic });
  return sql`
    select publish_events(${companyId}, ${topic}, array[${newUuid(Date.now())}::uuid], array[${payload}])`;
}
