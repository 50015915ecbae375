import type { ServerResponse } from "node:http";
import { describe, expect } from "vitest";
import {
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import {
  lookAgain,
  passTime,
  patience,
  type Received,
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
  for (let place = 1; place <= 10; place += 1) {
    await failOnce(db, service, company, `r${place}`, place);
    expect(await failing(db)).toMatchObject({ failures: place, is_open: place === 10 });
  }
  expect((await failing(db))?.open_for).toBeGreaterThan(0);
  expect((await failing(db))?.open_for).toBeLessThanOrEqual(30);
  await prolongPause(db);

  // Open: what is new waits. The witness shows that the others are served meanwhile.
  await subscribe(service, company, witness.url, [completed]);
  for (const reference of ["r11", "r12", "r13"]) await send(service, company, reference);
  await witness.until(3);
  expect(receiver.received).toHaveLength(10);

  // Its pause is over: a single probe, however many are due, until it is answered.
  answer = (response) => void held.push(response);
  await passTime(db.database);
  await receiver.until(11);
  for (const reference of ["r14", "r15", "r16"]) await send(service, company, reference);
  await witness.until(6);
  await passTime(db.database);
  await send(service, company, "r17");
  await witness.until(7);
  expect(receiver.received).toHaveLength(11);

  // It failed: open again.
  held.pop()?.writeHead(503).end();
  await expect
    .poll(() => failing(db), patience)
    .toMatchObject({ failures: 11, is_open: true, is_probed: false });
  expect((await failing(db))?.open_for).toBeGreaterThan(0);
  expect(receiver.received).toHaveLength(11);

  // The next one succeeds: closed, and everything follows, also what had a pause of its own.
  answer = (response) => void response.writeHead(200).end();
  await endPause(db);
  await receiver.until(28);
  const heard = receiver.received.slice(11).map(({ body }) => String(body.data.reference));
  const all = Array.from({ length: 17 }, (_, place) => `r${place + 1}`);
  expect(heard.toSorted()).toEqual(all.toSorted());
  await expect.poll(() => failing(db), patience).toBeUndefined();
  expect(held).toEqual([]);
});

test("a success in between counts from the start again", async ({ db, service, company }) => {
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  await subscribe(service, company, receiver.url, [completed]);
  for (let place = 1; place <= 9; place += 1)
    await failOnce(db, service, company, `r${place}`, place);
  status = 200;
  await send(service, company, "r10");
  await expect.poll(() => failing(db), patience).toBeUndefined();

  status = 500;
  await failOnce(db, service, company, "r11", 1);
  expect(await failing(db)).toMatchObject({ failures: 1, is_open: false });
});

test("a burst while the receiver is away opens the breaker once, for half a minute, however much was under way", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const held: ServerResponse[] = [];
  let answer = (response: ServerResponse) => void response.writeHead(200).end();
  const receiver = await startReceiver((_received, response) => answer(response));
  await subscribe(service, company, receiver.url, [completed]);
  await sendBatch(service, company, "good", 90);
  await receiver.until(90);

  // They are all on their way together before the first of them fails.
  answer = (response) => void held.push(response);
  await sendBatch(service, company, "bad", 300);
  await receiver.until(98);
  answer = (response) => void response.writeHead(503).end();
  for (const response of held.splice(0)) response.writeHead(503).end();
  await expect.poll(async () => (await failing(db))?.is_open, patience).toBe(true);
  await untilNothingInHand(db.database);
  // Ten that failed, eight that were on their way when the tenth did, and eight of a claim that was under way then.
  expect(receiver.received.length - 90).toBeLessThanOrEqual(10 + 8 + 8);
  expect((await failing(db))?.open_for).toBeLessThanOrEqual(30);

  answer = (response) => void response.writeHead(200).end();
  const tried = receiver.received.length;
  await endPause(db);
  await receiver.until(tried + 300);
  await untilNothingInHand(db.database);
  expect(
    await db.database.query(sql`select 1 from deliveries where status <> 'delivered'`),
  ).toEqual([]);
});

describe("a notification that has failed three times", () => {
  const isFirst = ({ body }: Received) => body.data.reference === "r1";

  test("is tried again before its next try is due, which uses up none; what is new is not held up", async ({
    db,
    service,
    company,
  }) => {
    let status = 500;
    const receiver = await startReceiver((received, response) =>
      response.writeHead(isFirst(received) ? status : 200).end(),
    );
    await subscribe(service, company, receiver.url, [completed]);
    const due = await failThrice(db, service, company);
    expect(due.tries).toBe(3);
    const { is_open, probe_in } = (await failing(db)) ?? {};
    expect(is_open).toBe(false);
    expect(probe_in).toBeGreaterThan(0);
    expect(probe_in).toBeLessThanOrEqual(30);
    for (const attempts of [4, 5, 6]) {
      await endPause(db);
      await expect.poll(() => delivery(db), patience).toEqual({ ...due, attempts });
    }

    // Its receiver works, so it is no outage, and its schedule is its own.
    await send(service, company, "r2");
    await receiver.until(7);
    await expect.poll(() => failing(db), patience).toBeUndefined();
    await untilNothingInHand(db.database);
    expect(await delivery(db)).toEqual({ ...due, attempts: 6 });

    status = 200;
    await passTime(db.database);
    await receiver.until(8);
    await expect.poll(() => delivery(db), patience).toMatchObject({ tries: 4, attempts: 7 });
  });

  test("is tried once more at once when the outage is over, which uses up none", async ({
    db,
    service,
    company,
  }) => {
    let isAway = true;
    const receiver = await startReceiver((received, response) =>
      response.writeHead(isAway || isFirst(received) ? 500 : 200).end(),
    );
    await subscribe(service, company, receiver.url, [completed]);
    const due = await failThrice(db, service, company);
    await db.database.query(sql`update endpoints set failing_since = now() - interval '1 minute'`);
    isAway = false;
    await send(service, company, "r2");
    await expect.poll(() => delivery(db), patience).toEqual({ ...due, attempts: 4 });
    await send(service, company, "r3");
    await receiver.until(6);
    await untilNothingInHand(db.database);
    expect(await delivery(db)).toEqual({ ...due, attempts: 4 });
  });

  test.for([
    ["20 seconds", 30],
    ["2 minutes", 60],
    ["20 minutes", 300],
  ] as const)(
    "is tried again after half of an outage of %s: about %i seconds",
    async ([outage, seconds], { db, service, company }) => {
      const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
      await subscribe(service, company, receiver.url, [completed]);
      const due = await failThrice(db, service, company);
      await db.database.query(
        sql`update endpoints set failing_since = now() - ${outage}::interval`,
      );
      await endPause(db);
      await expect.poll(() => delivery(db), patience).toEqual({ ...due, attempts: 4 });

      // However long this test itself takes, the pause is never above the longest one.
      const { probe_in: probeIn } = (await failing(db)) ?? {};
      expect(probeIn).toBeGreaterThan(seconds - 30);
      expect(probeIn).toBeLessThanOrEqual(300);
    },
  );
});

test("a receiver that asks for a longer pause gets it", async ({ db, service, company }) => {
  const receiver = await startReceiver((_received, response) =>
    response.writeHead(503, { "retry-after": "1800" }).end(),
  );
  await subscribe(service, company, receiver.url, [completed]);
  for (let place = 1; place <= 10; place += 1)
    await failOnce(db, service, company, `r${place}`, place);
  expect((await failing(db))?.open_for).toBeGreaterThan(1_000);
});

async function sendBatch(
  service: TestService,
  { accessToken: token }: TestCompany,
  name: string,
  count: number,
): Promise<void> {
  const transactions = Array.from({ length: count }, (_, index) => ({
    amount: 5_000,
    msisdn: "2250700000000",
    reference: `${name} ${index}`,
  }));
  const body = { transactions };
  const answer = await service.call("POST", "/v1/transactions/batch", { token, body });
  expect(answer.status).toBe(201);
}

/** Sends a transfer whose notification fails, and keeps it from being tried again while the test goes on. */
async function failOnce(
  db: TestDatabase,
  service: TestService,
  company: TestCompany,
  reference: string,
  failures: number,
): Promise<void> {
  await send(service, company, reference);
  await expect.poll(async () => (await failing(db))?.failures, patience).toBe(failures);
  await db.database.query(sql`
    update deliveries set next_attempt_at = now() + interval '1 hour' where status = 'pending'`);
}

/** Sends one transfer, and lets its notification fail three times. */
async function failThrice(db: TestDatabase, service: TestService, company: TestCompany) {
  await send(service, company, "r1");
  for (const attempt of [1, 2, 3]) {
    await untilAttempts(db.database, attempt);
    if (attempt < 3) await passTime(db.database);
  }
  const first = await delivery(db);
  if (first === undefined) throw new Error("there is a delivery");
  return first;
}

/** As if the pause before the next probe were over; what waits for its own next try goes on waiting. */
async function endPause(db: TestDatabase): Promise<void> {
  await db.database.query(sql`
    update endpoints set open_until = case when opened_at is null then open_until else now() end,
      probe_at = case when probe_at is null then null else now() end
    where probe_claim is null`);
  await lookAgain(db.database);
}

/** So that the pause is not over before the test says so. */
async function prolongPause(db: TestDatabase): Promise<void> {
  await db.database.query(sql`
    update endpoints set open_until = now() + interval '1 hour' where opened_at is not null`);
}

/** The endpoint that fails, if there is one. */
async function failing(db: TestDatabase) {
  const [row] = await db.database.query<{
    failures: number;
    is_open: boolean;
    is_probed: boolean;
    open_for: number | null;
    probe_in: number | null;
  }>(sql`
    select failures, opened_at is not null as is_open, probe_claim is not null as is_probed,
      extract(epoch from open_until - now())::float8 as open_for,
      extract(epoch from probe_at - now())::float8 as probe_in
    from endpoints where failures > 0`);
  return row;
}

/** Of the first transfer. */
async function delivery(db: TestDatabase) {
  const [row] = await db.database.query<{ attempts: number; tries: number; next: Date | null }>(sql`
    select attempts, tries, next_attempt_at as next from deliveries order by event_number limit 1`);
  return row;
}
