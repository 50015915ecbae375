import { expect } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  passTime,
  Receiver,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const started = "transactions/started";
const completed = "transactions/completed";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

test("twelve failures, logged once each, then it is given up and the next one goes", async ({
  db,
  service,
  company,
}) => {
  let first: string | undefined;
  const receiver = await startReceiver((received, response) => {
    first ??= String(received.headers["webhook-id"]);
    if (received.headers["webhook-id"] === first) response.writeHead(503).end("é".repeat(2_000));
    else response.writeHead(200).end();
  });
  // Two webhooks for the same topic at the same url: the second waits behind the first.
  const ids = [
    await subscribe(service, company, receiver.url, [completed]),
    await subscribe(service, company, receiver.url, [completed]),
  ].map((made) => made["completed"] ?? "");
  await send(service, company, "r1");
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await untilAttempts(db.database, attempt);
    await closeBreaker(db);
    await passTime(db.database);
  }

  const arrived = await receiver.until(13);
  await untilAttempts(db.database, 13);
  const failing = arrived.slice(0, 12);
  expect(new Set(failing.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([first]));
  expect(new Set(failing.map(({ raw }) => raw)).size).toBe(1);
  expect(arrived[12]?.headers["webhook-id"]).not.toBe(first);
  const [firstId, secondId] = ids.toSorted((id) =>
    first?.includes(id.replaceAll("-", "")) ? -1 : 1,
  );
  expect(await deliveriesOf(service, company, secondId)).toMatchObject([
    { status: "delivered", attempts: 1 },
  ]);
  const [given] = await deliveriesOf(service, company, firstId);
  expect(given).toMatchObject({ status: "failed", attempts: 12, nextAttemptAt: null });
  expect(given.log).toStrictEqual(
    Array.from({ length: 12 }, (_, index) => ({
      attempt: index + 1,
      startedAt: timestamp,
      durationMs: expect.any(Number),
      statusCode: 503,
      error: null,
      response: "é".repeat(512),
    })),
  );
  const moments = given.log.map((attempt: { startedAt: string }) => attempt.startedAt);
  expect(moments).toEqual(moments.toSorted());

  await passTime(db.database);
  await send(service, company, "r2");
  await receiver.until(15);
  expect(receiver.received.filter(({ body }) => body.data.reference === "r1")).toHaveLength(13);
});

test("Retry-After is heard, as seconds and as a date, for an hour at most", async ({
  db,
  service,
  company,
}) => {
  const answers: Record<string, string> = {
    seconds: "120",
    date: new Date(Date.now() + 1_800_000).toUTCString(),
    "too long": "86400",
    "too short": "1",
  };
  const receiver = await startReceiver((received, response) =>
    response.writeHead(429, { "retry-after": answers[received.body.data.reference] ?? "" }).end(),
  );
  await subscribe(service, company, receiver.url, [started]);
  for (const reference of Object.keys(answers)) await send(service, company, reference);
  await untilAttempts(db.database, 4);

  const rows = await db.database.query<{ reference: string; pause: number; since_now: number }>(sql`
    select t.reference,
      extract(epoch from d.next_attempt_at - a.started_at)::float8 as pause,
      extract(epoch from d.next_attempt_at - ${new Date()})::float8 as since_now
    from deliveries d join attempts a using (company_id, webhook_id, event_number)
    join transfers t on t.company_id = d.company_id and t.id = d.subject_id`);
  const pauseOf = (name: string) => rows.find(({ reference }) => reference === name);
  expect(pauseOf("seconds")?.pause).toBeGreaterThanOrEqual(120);
  expect(pauseOf("seconds")?.pause).toBeLessThan(140);
  expect(pauseOf("date")?.since_now).toBeLessThanOrEqual(1_800);
  expect(pauseOf("date")?.since_now).toBeGreaterThan(1_700);
  expect(pauseOf("too long")?.pause).toBeGreaterThanOrEqual(3_600);
  expect(pauseOf("too long")?.pause).toBeLessThan(3_620);
  expect(pauseOf("too short")?.pause).toBeGreaterThanOrEqual(4);
  expect(pauseOf("too short")?.pause).toBeLessThan(26);
});

test("a redirect is a failure and is not followed", async ({ db, service, company }) => {
  const receiver = await startReceiver((received, response) =>
    received.path === "/there"
      ? response.writeHead(200).end()
      : response.writeHead(Number(received.path.slice(1)), { location: "/there" }).end("moved"),
  );
  const ids: (string | undefined)[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    ids.push(
      (await subscribe(service, company, `${receiver.url}/${status}`, [started]))["started"],
    );
  }
  await send(service, company, "r1");
  await untilAttempts(db.database, 5);

  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual([
    "/301",
    "/302",
    "/303",
    "/307",
    "/308",
  ]);
  for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
    expect(await deliveriesOf(service, company, ids[index])).toMatchObject([
      {
        status: "pending",
        attempts: 1,
        nextAttemptAt: timestamp,
        log: [{ attempt: 1, statusCode: status, error: null, response: "moved" }],
      },
    ]);
  }
});

test("every 2xx acknowledges; nothing listening is a failure that says so", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(Number(received.path.slice(1))).end(),
  );
  const gone = await Receiver.start();
  const { url: nobody } = gone;
  await gone.stop();
  const acknowledged = [200, 201, 202, 204, 299];
  const ids: (string | undefined)[] = [];
  for (const status of acknowledged) {
    ids.push(
      (await subscribe(service, company, `${receiver.url}/${status}`, [started]))["started"],
    );
  }
  const unreachable = await subscribe(service, company, nobody, [started]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 6);

  for (const [index, status] of acknowledged.entries()) {
    expect(await deliveriesOf(service, company, ids[index])).toMatchObject([
      { status: "delivered", attempts: 1, nextAttemptAt: null, log: [{ statusCode: status }] },
    ]);
  }
  const [failed] = await deliveriesOf(service, company, unreachable["started"]);
  expect(failed).toMatchObject({ status: "pending", attempts: 1 });
  expect(failed.log).toStrictEqual([
    {
      attempt: 1,
      startedAt: timestamp,
      durationMs: expect.any(Number),
      statusCode: null,
      error: expect.stringContaining("No connection could be made."),
      response: null,
    },
  ]);
});

/** As if the pause of the circuit breaker were over. */
async function closeBreaker(db: TestDatabase): Promise<void> {
  await db.database.query(sql`update endpoints set open_until = null`);
}
