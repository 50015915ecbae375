import { createSecretKey } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { ended, listen, makeDispatcher, takeInHand } from "../../test/dispatcher.ts";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { patience, startReceiver } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import type { Recordable } from "./dispatch-store.ts";

const topic = "charge/events";
const url = "http://127.0.0.1:9/hooks";

test.for(["retry", "delivered"] as const)(
  "an outcome whose recording was not answered is recorded again and counts once: %s",
  async (kind, { db }) => {
    const companyId = await makeListening(db, url, 1);
    const proxy = await TcpProxy.before(db.url);
    const database = new Database({ url: proxy.rewrite(db.url), poolSize: 1 });
    onTestFinished(async () => {
      proxy.cut();
      await database.close();
      await proxy.close().catch(() => {});
    });
    const [held] = await takeInHand(database, companyId, url);
    const { recorder, written } = makeRecorder(database, companyId);
    proxy.isDeaf = true;
    if (held !== undefined) recorder.record(ended(held, kind));
    await expect.poll(() => attemptsOf(db), patience).toEqual([{ attempts: 1 }]);
    expect(written).toEqual([]);

    proxy.isDeaf = false;
    proxy.cut();
    await expect.poll(() => written.length, patience).toBe(1);
    expect(await attemptsOf(db)).toEqual([{ attempts: 1 }]);
    const log = await db.database.query(sql`select attempt from attempts`);
    expect(log).toHaveLength(kind === "retry" ? 1 : 0);
    expect(await failuresOf(db)).toBe(kind === "retry" ? 1 : 0);
  },
);

test("one outcome that cannot be written keeps no other from being written", async ({ db }) => {
  const companyId = await makeListening(db, url, 5);
  const held = await takeInHand(db.database, companyId, url);
  const { recorder, written } = makeRecorder(db.database, companyId);
  for (const [place, one] of held.entries()) {
    const recordable = ended(one, "delivered");
    const response = place === 2 ? "\u0000" : "fine";
    recorder.record({ ...recordable, outcome: { ...recordable.outcome, response } });
  }
  await recorder.drain();
  expect(written).toHaveLength(5);
  const rows = await db.database.query(sql`select event_number from deliveries order by 1`);
  expect(rows).toEqual([1, 2, 4, 5].map((event_number) => ({ event_number })));
  // The one that is not written is still claimed: it will be told again.
  expect(await db.database.query(sql`select 1 from claims`)).toHaveLength(1);
});

test("a company without a secret key is told nothing, and none of it is its receivers' failure", async ({
  db,
}) => {
  const receiver = await startReceiver();
  const companyId = await makeListening(db, receiver.url, 3);
  const without = makeDispatcher(db.database, {
    secretsOf: () => Promise.reject(new Error("the company has no secret key")),
  });
  expect(await without.work(companyId)).toBeUndefined();
  expect(await db.database.query(sql`select 1 from claims`)).toEqual([]);

  // The key goes after the events were taken.
  let turns = 0;
  const losing = makeDispatcher(db.database, {
    secretsOf: async () => {
      turns += 1;
      if (turns > 1) throw new Error("the company has no secret key");
      return [createSecretKey(Buffer.from("sk_test"))];
    },
  });
  await losing.work(companyId);
  const waiting = { status: "pending", attempts: 0, tries: 0 };
  await expect
    .poll(() => db.database.query(sql`select status, attempts, tries from deliveries`), patience)
    .toEqual([waiting, waiting, waiting]);
  expect([await failuresOf(db), receiver.received.length]).toEqual([0, 0]);

  await db.database.query(sql`update deliveries set next_attempt_at = now()`);
  await db.database.query(sql`update event_cursors set due_at = now()`);
  await makeDispatcher(db.database).work(companyId);
  await receiver.until(3);
});

test("when what to tell of an event cannot be made, nothing later of its object is told before it", async ({
  db,
}) => {
  const receiver = await startReceiver();
  const { id: companyId } = await makeCompany(db.database);
  const transfer = newUuid(Date.now());
  const happens = async (status: string) => {
    await db.database.query(sql`
      select publish_events(${companyId}, ${`transactions/${status}`}::topic, array[${transfer}::uuid])`);
  };
  for (const status of ["started", "completed"] as const)
    await listen(db.database, companyId, { topic: `transactions/${status}`, url: receiver.url });
  let isBroken = true;
  const dispatcher = makeDispatcher(db.database, {
    payloadsOf: async (_companyId, events) => {
      if (isBroken) throw new Error("the books cannot be read");
      return events.map((event) => JSON.stringify({ topic: event.topic }));
    },
  });

  await happens("started");
  await dispatcher.work(companyId);
  isBroken = false;
  await happens("completed");
  await dispatcher.work(companyId);
  const statuses = await db.database.query(
    sql`select status from deliveries order by event_number`,
  );
  expect(statuses).toEqual([{ status: "pending" }, { status: "blocked" }]);
  await expect
    .poll(async () => {
      await dispatcher.work(companyId);
      return receiver.received.map(({ body }) => body.topic);
    }, patience)
    .toEqual(["transactions/started", "transactions/completed"]);
});

/** A company with a webhook and so many events that nobody has taken. */
async function makeListening(
  { database }: TestDatabase,
  address: string,
  count: number,
): Promise<string> {
  const { id } = await makeCompany(database);
  await listen(database, id, { topic, url: address });
  const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
  await database.query(sql`
    select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
  return id;
}

function makeRecorder(database: Database, companyId: string) {
  const written: Recordable[] = [];
  const recorder = new AttemptRecorder({
    database,
    logger: pino({ level: "silent" }),
    companyId,
    exclusively: (work) => work(),
    onWritten: (set) => void written.push(...set),
  });
  return { recorder, written };
}

function attemptsOf({ database }: TestDatabase) {
  return database.query(sql`select attempts from deliveries`);
}

async function failuresOf({ database }: TestDatabase): Promise<number | undefined> {
  const rows = await database.query<{ failures: number }>(sql`select failures from endpoints`);
  return rows[0]?.failures;
}
