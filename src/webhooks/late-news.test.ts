import type { ServerResponse } from "node:http";
import { afterEach, expect, vi } from "vitest";
import { ended, listen, makeDispatcher, takeInHand } from "../../test/dispatcher.ts";
import { makeCompany, startService, type TestDatabase, test } from "../../test/fixtures.ts";
import { untilLockAwaited } from "../../test/locks.ts";
import { patience, startReceiver, untilNothingInHand } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { recordAttempts } from "./dispatch-store.ts";
import { createWebhook, deleteWebhook } from "./manage-webhooks.ts";

const topic = "charge/events";

afterEach(() => vi.restoreAllMocks());

/** What happens to a webhook while a node that does not hear of it has ten notifications in hand. */
const endings = {
  deleted: (db: TestDatabase, companyId: string, webhookId: string) =>
    deleteWebhook(db.database, companyId, webhookId),
  disabled: async ({ database }: TestDatabase, companyId: string, webhookId: string) => {
    await database.query(sql`
      update webhooks set disabled_at = now(), disabled_reason = 'x' where id = ${webhookId}`);
    await database.query(sql`select cancel_deliveries(${companyId}, ${webhookId})`);
  },
};

test.for(["deleted", "disabled"] as const)(
  "a node that never hears that a webhook was %s sends nothing to it that was not on its way, a second later",
  async (ending, { db }) => {
    const held: ServerResponse[] = [];
    const receiver = await startReceiver((_received, response) => void held.push(response));
    const { id } = await makeCompany(db.database);
    const webhook = await listen(db.database, id, { topic, url: receiver.url });
    await publish(db, id, 10);
    let wakes = 0;
    const dispatcher = makeDispatcher(db.database, { onMore: () => (wakes += 1) });
    await dispatcher.work(id);
    await receiver.until(1);
    await endings[ending](db, id, webhook.id);

    const nowMs = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => nowMs + 1_500);
    held[0]?.writeHead(200).end();
    await expect.poll(() => wakes, patience).toBeGreaterThan(0);
    expect(receiver.received).toHaveLength(1);
    await dispatcher.work(id);
    await untilNothingInHand(db.database);
    expect(receiver.received).toHaveLength(1);
    expect(await db.database.query(sql`select 1 from deliveries where status = 'pending'`)).toEqual(
      [],
    );
  },
);

test("a failure of a deleted webhook that is written down late is not the next one's at the same address", async ({
  db,
}) => {
  const url = "http://127.0.0.1:9/hooks";
  const { id } = await makeCompany(db.database);
  const webhook = await listen(db.database, id, { topic, url });
  await publish(db, id, 15);
  const inHand = await takeInHand(db.database, id, url);
  expect(inHand).toHaveLength(15);

  await deleteWebhook(db.database, id, webhook.id);
  await listen(db.database, id, { topic, url });
  await recordAttempts(
    db.database,
    id,
    inHand.map((held) => ended(held, "retry")),
    [],
  );
  const [endpoint] = await db.database.query(sql`
    select failures, failing_since, open_until from endpoints`);
  expect(endpoint).toEqual({ failures: 0, failing_since: null, open_until: null });
});

test("failures of requests that were under way when the circuit breaker opened change nothing of it", async ({
  db,
}) => {
  const url = "http://127.0.0.1:9/hooks";
  const { id } = await makeCompany(db.database);
  await listen(db.database, id, { topic, url });
  await publish(db, id, 15);
  const startedMs = Date.now();
  const failed = (await takeInHand(db.database, id, url)).map((held) => {
    const { outcome } = ended(held, "retry");
    return { held, outcome: { ...outcome, startedMs } };
  });
  await recordAttempts(db.database, id, failed.slice(0, 10), []);
  // As if it had been failing for long: one more outage of that length would mean minutes.
  await db.database.query(sql`
    update endpoints set failing_since = now() - interval '20 minutes' where opened_at is not null`);
  const see = () => db.database.query(sql`select * from endpoints`);
  const before = await see();
  expect(before).toMatchObject([{ failures: 10, opened_at: expect.any(Date) }]);

  await recordAttempts(db.database, id, failed.slice(10), []);
  expect(await see()).toEqual(before);
});

test("an attempt that the sender broke off itself uses up none of a delivery's tries", async ({
  db,
}) => {
  const url = "http://127.0.0.1:9/hooks";
  const { id } = await makeCompany(db.database);
  await listen(db.database, id, { topic, url });
  await publish(db, id, 3);
  const inHand = await takeInHand(db.database, id, url);
  const kinds = ["unsent", "stopped", "retry"] as const;
  await recordAttempts(
    db.database,
    id,
    inHand.map((held, index) => ended(held, kinds[index] ?? "unsent")),
    [],
  );

  const rows = await db.database.query(sql`
    select attempts, tries from deliveries order by event_number`);
  expect(rows).toEqual([
    { attempts: 0, tries: 0 },
    { attempts: 1, tries: 0 },
    { attempts: 1, tries: 1 },
  ]);
});

test("an event that waits for the registration of a webhook to commit is told, without any hint", async ({
  db,
  company,
}) => {
  const receiver = await startReceiver();
  const service = await startService(db, { ROLES: "webhooks" });
  try {
    let published: Promise<void> | undefined;
    await db.database.transaction(async (tx) => {
      await createWebhook(tx, company.id, { topic, url: receiver.url });
      // It happens after the webhook is there, and nobody is woken for it.
      published = publish(db, company.id, 1);
      await untilLockAwaited(db.database);
    });
    await published;
    await receiver.until(1);
  } finally {
    await service.stop();
  }
});

async function publish({ database }: TestDatabase, id: string, count: number): Promise<void> {
  const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
  await database.query(sql`
    select publish_events(${id}, ${topic}, ${subjects}::uuid[], ${subjects.map(() => "{}")}::text[])`);
}
