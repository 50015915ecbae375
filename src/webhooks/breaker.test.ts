import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import {
  passTime,
  patience,
  type Receiver,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
  untilNothingInHand,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

// Not started: that one is given up sooner.
const completed = "transactions/completed";

test("ten failures in a row open the breaker: nothing is sent, then one probe, and a success closes it", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  let answer = (response: ServerResponse) => void response.writeHead(500).end();
  const receiver = await startReceiver((_received, response) => answer(response));
  const witness = await startReceiver();
  await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r0");
  await failTenTimes(db, receiver);
  const [open] = await endpoints(db);
  expect(open).toMatchObject({ failures: 10, failing: true });
  expect(open?.open_for).toBeGreaterThan(0);
  expect(open?.open_for).toBeLessThanOrEqual(30);

  // Open: what is due and what is new both wait. The witness shows that the others are served meanwhile.
  await subscribe(service, company, witness.url, [completed]);
  await passTime(db.database);
  for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);
  await witness.until(3);
  expect(receiver.received).toHaveLength(10);

  // Half open: a single probe, however many are due, until it is answered.
  answer = (response) => void held.push(response);
  await endPause(db);
  await receiver.until(11);
  for (const reference of ["r4", "r5", "r6"]) await send(service, company, reference);
  await witness.until(6);
  await expect
    .poll(
      async () =>
        (
          await db.database.query(sql`
      select 1 from deliveries where endpoint_id = (select id from endpoints where failures > 0)
        and status = 'pending' and next_attempt_at < now()`)
        ).length,
      patience,
    )
    .toBe(6);
  expect(receiver.received).toHaveLength(11);

  // It failed: open again, for as long or longer.
  held.pop()?.writeHead(503).end();
  await expect
    .poll(async () => (await endpoints(db))[0], patience)
    .toMatchObject({ failures: 11, failing: true });
  expect((await endpoints(db))[0]?.open_for).toBeGreaterThan(0);
  expect(receiver.received).toHaveLength(11);

  // The next one succeeds: closed, and everything that waited goes.
  answer = (response) => void response.writeHead(200).end();
  await passTime(db.database);
  await endPause(db);
  await receiver.until(18);
  const heard = receiver.received.slice(11).map(({ body }) => String(body.data.reference));
  expect(heard.toSorted()).toEqual(["r0", "r1", "r2", "r3", "r4", "r5", "r6"]);
  await expect
    .poll(async () => endpoints(db), patience)
    .toContainEqual({ failures: 0, failing: false, open_for: null });
  expect(held).toEqual([]);
});

test("a success in between counts from the start again", async ({ db, service, company }) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r0");
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    await untilAttempts(db.database, attempt);
    await passTime(db.database);
    if (attempt === 8) status = 200;
  }
  await expect
    .poll(async () => endpoints(db), patience)
    .toEqual([{ failures: 0, failing: false, open_for: null }]);

  status = 500;
  await send(service, company, "r1");
  await untilAttempts(db.database, 10);
  expect(await endpoints(db)).toEqual([{ failures: 1, failing: true, open_for: null }]);
});

test("an endpoint that turns bad under load is left alone soon after the tenth failure", async ({
  db,
  service,
  company,
}) => {
  let status = 200;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  await subscribe(service, company, receiver.url, [completed]);
  const rows = (name: string) =>
    Array.from({ length: 90 }, (_, index) => ({
      amount: 5_000,
      msisdn: "2250700000000",
      reference: `${name} ${index}`,
    }));
  const batch = async (name: string) => {
    const body = { transactions: rows(name) };
    const { accessToken: token } = company;
    expect((await service.call("POST", "/v1/transactions/batch", { token, body })).status).toBe(
      201,
    );
  };
  await batch("good");
  await receiver.until(90);

  status = 500;
  await batch("bad");
  await expect
    .poll(async () => (await endpoints(db))[0]?.open_for ?? 0, patience)
    .toBeGreaterThan(0);
  await receiver.until(100);
  await untilNothingInHand(db.database);
  // Ten that failed, and those that were on their way when the tenth did.
  expect(receiver.received.length - 90).toBeLessThanOrEqual(10 + 8 + 8);
});

async function failTenTimes(db: TestDatabase, receiver: Receiver): Promise<void> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await untilAttempts(db.database, attempt);
    if (attempt < 10) await passTime(db.database);
  }
  expect(receiver.received).toHaveLength(10);
}

/** As if the breaker's pause were over. */
async function endPause(db: TestDatabase): Promise<void> {
  await db.database.query(
    sql`update endpoints set open_until = now() where open_until is not null`,
  );
  await passTime(db.database);
}

async function endpoints(db: TestDatabase) {
  return db.database.query<{ failures: number; failing: boolean; open_for: number | null }>(sql`
    select failures, failing_since is not null as failing,
      extract(epoch from open_until - now())::float8 as open_for
    from endpoints order by failures desc`);
}
