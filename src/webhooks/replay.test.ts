import { expect } from "vitest";
import {
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { patience, send, startReceiver, subscribe } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { countReplay, replayDeliveries } from "./replay-deliveries.ts";

const completed = "transactions/completed";
const hour = 3_600_000;

// `npm run torture` sends more again than any cap of another product; the suite makes do with a tenth.
const failedCount = process.env["TORTURE_KILLS"] === undefined ? 2_400 : 24_900;
const replayed = failedCount + 100;

test(`${replayed} failed deliveries of a range are sent again exactly once each, while new ones go on`, {
  timeout: 120_000,
}, async ({ db, service }) => {
  const company = await makeCompany(db.database);
  const receiver = await startReceiver();
  const { completed: webhookId = "" } = await subscribe(service, company, receiver.url, [
    completed,
  ]);
  const now = Date.now();
  const make = (name: string, count: number, status: string, hoursAgo: number) =>
    makeDeliveries(db, company, webhookId, {
      name,
      count,
      status,
      at: new Date(now - hoursAgo * hour),
    });
  await make("too old", 40, "failed", 30);
  await make("failed", failedCount, "failed", 20);
  await make("delivered", 60, "delivered", 20);
  await make("cancelled", 60, "cancelled", 19);
  await make("superseded", 40, "superseded", 18);
  await make("too new", 40, "failed", 2);

  const range = { since: new Date(now - 24 * hour), until: new Date(now - 12 * hour) };
  const request = { companyId: company.id, webhookId, ...range, failedOnly: true };
  expect(await countReplay(db.database, request)).toBe(replayed);
  const steps = replayed / 500;
  const progress: number[] = [];
  for await (const queued of replayDeliveries(db.database, request)) {
    progress.push(queued);
    await send(service, company, `new ${progress.length}`);
  }
  expect(progress).toEqual(Array.from({ length: steps }, (_, step) => 500 * (step + 1)));
  expect(await countReplay(db.database, request)).toBe(0);

  await receiver.until(replayed + steps, 100_000);
  await expect.poll(() => countWaiting(db), patience).toBe(0);
  const heard = new Map<string, number>();
  for (const { body } of receiver.received) {
    const name = String(body.data.reference).replace(/ \d+$/, "");
    heard.set(name, (heard.get(name) ?? 0) + 1);
  }
  expect(Object.fromEntries(heard)).toEqual({
    failed: failedCount,
    cancelled: 60,
    superseded: 40,
    new: steps,
  });
  expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(replayed + steps);
  const untouched = await db.database.query(sql`
    select status, attempts, count(*) as count from deliveries group by status, attempts
    order by status, attempts`);
  expect(untouched).toEqual([
    { status: "delivered", attempts: 1, count: 60 + steps },
    { status: "delivered", attempts: 13, count: replayed },
    { status: "failed", attempts: 12, count: 80 },
  ]);
});

test("without the wish for failed ones only, what had arrived is sent again too, in order per object", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url);
  const since = new Date();
  for (const reference of ["r1", "r2"]) await send(service, company, reference);
  await receiver.until(4);
  await expect.poll(() => countWaiting(db), patience).toBe(0);

  const until = new Date(Date.now() + hour);
  for (const webhookId of [ids["started"] ?? "", ids["completed"] ?? ""]) {
    const request = { companyId: company.id, webhookId, since, until, failedOnly: false };
    for await (const queued of replayDeliveries(db.database, request)) expect(queued).toBe(2);
  }
  await receiver.until(8);
  await expect.poll(() => countWaiting(db), patience).toBe(0);
  expect(await attemptsOf(service, company, ids)).toEqual([2, 2, 2, 2]);
  const messages = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  expect(messages.slice(4).toSorted()).toEqual(messages.slice(0, 4).toSorted());
});

async function attemptsOf(
  service: TestService,
  { accessToken: token }: TestCompany,
  ids: Record<string, string>,
): Promise<number[]> {
  const attempts: number[] = [];
  for (const id of [ids["started"], ids["completed"]]) {
    const { body } = await service.call("GET", `/v1/webhooks/${id}/deliveries`, { token });
    for (const delivery of body.data) attempts.push(delivery.attempts);
  }
  return attempts;
}

async function countWaiting(db: TestDatabase): Promise<number> {
  const waiting = sql`select 1 from deliveries where status in ('pending', 'blocked')`;
  return (await db.database.query(waiting)).length;
}

/** Deliveries of the past, each of an object of its own, as the service would have left them. */
async function makeDeliveries(
  db: TestDatabase,
  company: TestCompany,
  webhookId: string,
  made: {
    readonly name: string;
    readonly count: number;
    readonly status: string;
    readonly at: Date;
  },
): Promise<void> {
  const attempts = made.status === "delivered" ? 1 : 12;
  await db.database.transaction(async (tx) => {
    const rows = await tx.query<{ last_event: number }>(sql`
      update company_counters set last_event = last_event + ${made.count}
      where company_id = ${company.id} returning last_event`);
    const last = rows[0]?.last_event ?? 0;
    await tx.query(sql`
      update event_cursors set last_event = ${last} where company_id = ${company.id}`);
    await tx.query(sql`
      insert into events (company_id, number, topic, subject_id, payload, created_at)
      select ${company.id}, ${last} - x + 1, ${completed}, gen_random_uuid(),
        json_build_object('data', json_build_object('reference', ${made.name} || ' ' || x))::text, ${made.at}
      from generate_series(1, ${made.count}::bigint) as x`);
    await tx.query(sql`
      insert into deliveries (company_id, webhook_id, event_number, endpoint_id, subject_id, topic,
        status, attempts, tries, next_attempt_at, created_at, updated_at)
      select e.company_id, w.id, e.number, w.endpoint_id, e.subject_id, e.topic,
        ${made.status}, ${attempts}::integer, ${attempts}::integer, ${made.at}, ${made.at}, ${made.at}
      from events e join webhooks w on w.company_id = e.company_id and w.id = ${webhookId}
      where e.company_id = ${company.id} and e.number > ${last - made.count}`);
  });
}
