import { expect } from "vitest";
import {
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import {
  deliveriesOf,
  patience,
  send,
  startReceiver,
  subscribe,
  untilNothingInHand,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { breakerAfter } from "./delivery-policy.ts";

const completed = "transactions/completed";
const hour = 3_600;

test("sending again ends the pause of an open breaker, but no sooner than the endpoint may be probed again", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
  const [webhookId] = Object.values(await subscribe(service, company, receiver.url, [completed]));
  await openBreaker(db, service, company);
  const opened = await breaker(db);
  expect(opened.probeAfter).toBeGreaterThanOrEqual(4.9);
  expect(opened.probeAfter).toBeLessThan(opened.openAfter);

  await pauseFor(db, hour, 2 * hour);
  await sendAllAgain(service, company, webhookId);
  await untilNothingInHand(db.database);
  expect(receiver.received).toHaveLength(breakerAfter);
  const { openFor } = await breaker(db);
  expect(openFor).toBeGreaterThan(0);
  expect(openFor).toBeLessThanOrEqual(hour);

  // It may be probed: one request, however many were sent again, and the next one has to wait again.
  await pauseFor(db, 0, 2 * hour);
  await sendAllAgain(service, company, webhookId, 1);
  await receiver.until(breakerAfter + 1);
  await expect.poll(async () => (await breaker(db)).failures, patience).toBe(breakerAfter + 1);
  const probed = await breaker(db);
  expect(probed.probeAfter).toBeGreaterThanOrEqual(4.9);
  expect(probed.probeAfter).toBeLessThan(probed.openAfter);
  await pauseFor(db, hour, 2 * hour);
  await sendAllAgain(service, company, webhookId);
  await untilNothingInHand(db.database);
  expect(receiver.received).toHaveLength(breakerAfter + 1);
});

test("sending again does not end a pause that the receiver has asked for", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((_received, response) =>
    response.writeHead(503, { "retry-after": "1800" }).end(),
  );
  const [webhookId] = Object.values(await subscribe(service, company, receiver.url, [completed]));
  await openBreaker(db, service, company);
  await sendAllAgain(service, company, webhookId);
  expect((await breaker(db)).openFor).toBeGreaterThan(1_000);
  await untilNothingInHand(db.database);
  expect(receiver.received).toHaveLength(breakerAfter);
});

/** Lets as many notifications fail as it takes, each once. */
async function openBreaker(
  db: TestDatabase,
  service: TestService,
  company: TestCompany,
): Promise<void> {
  for (let place = 1; place <= breakerAfter; place += 1) {
    await send(service, company, `r${place}`);
    await expect.poll(async () => (await breaker(db)).failures, patience).toBe(place);
    await db.database.query(sql`
      update deliveries set next_attempt_at = now() + interval '1 hour' where status = 'pending'`);
  }
}

/** Has the deliveries of a webhook sent again, one after the other. */
async function sendAllAgain(
  service: TestService,
  company: TestCompany,
  webhookId: string | undefined,
  most = 100,
): Promise<void> {
  const token = company.accessToken;
  for (const { id } of (await deliveriesOf(service, company, webhookId)).slice(0, most)) {
    const path = `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`;
    expect((await service.call("POST", path, { token })).status).toBe(200);
  }
}

/** So many seconds until it may be probed again, and until it would be. */
async function pauseFor(db: TestDatabase, probeSeconds: number, seconds: number): Promise<void> {
  await db.database.query(sql`
    update endpoints set probe_at = now() + ${probeSeconds} * interval '1 second',
      open_until = now() + ${seconds} * interval '1 second' where opened_at is not null`);
}

/** Seconds that are left until the breaker lets a request through, and those of both pauses since it opened. */
async function breaker(db: TestDatabase) {
  const [row] = await db.database.query<{
    failures: number;
    openFor: number;
    openAfter: number;
    probeAfter: number;
  }>(sql`
    select failures, extract(epoch from open_until - now())::float8 as "openFor",
      extract(epoch from open_until - opened_at)::float8 as "openAfter",
      extract(epoch from probe_at - opened_at)::float8 as "probeAfter"
    from endpoints`);
  if (row === undefined) throw new Error("there is an endpoint");
  return row;
}
