import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { claimEvents } from "../src/webhooks/dispatch-store.ts";
import { Receiver, type Responder } from "../torture/traffic/receiver.ts";
import type { TestCompany, TestService } from "./fixtures.ts";

export { type Received, Receiver } from "../torture/traffic/receiver.ts";

/** A receiver of the running test, gone when the test is over. */
export async function startReceiver(respond?: Responder): Promise<Receiver> {
  const receiver = await Receiver.start(respond);
  onTestFinished(() => receiver.stop());
  return receiver;
}

const transferTopics = [
  "transactions/started",
  "transactions/completed",
  "transactions/failed",
] as const;

/** Registers one webhook for each topic; their ids by topic, without the part before the slash. */
export async function subscribe(
  service: TestService,
  { accessToken: token }: TestCompany,
  url: string,
  topics: readonly string[] = transferTopics,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const topic of topics) {
    const answer = await service.call("POST", "/v1/webhooks", { token, body: { topic, url } });
    expect(answer.status).toBe(201);
    ids[topic.replace(/^.*\//, "")] = answer.body.id;
  }
  return ids;
}

/** One transfer; it completes unless it goes to the number that always fails. */
export async function send(
  service: TestService,
  { accessToken: token }: TestCompany,
  reference: string,
  changes: object = {},
) {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference, ...changes };
  const answer = await service.call("POST", "/v1/transactions", { token, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

export async function deliveriesOf(
  service: TestService,
  { accessToken: token }: TestCompany,
  webhookId: string | undefined,
  query = "",
) {
  const answer = await service.call("GET", `/v1/webhooks/${webhookId}/deliveries${query}`, {
    token,
  });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** As if the pauses between attempts and those of open breakers were over. What is being sent just now is left alone. */
export async function passTime(database: Database): Promise<void> {
  await database.query(sql`
    update deliveries set next_attempt_at = now() where status = 'pending' and claim_id is null`);
  await database.query(sql`
    update endpoints set open_until = now() where opened_at is not null and probe_claim is null`);
  await lookAgain(database);
}

/** As if it were time to look at what is written down, and as if somebody said so. */
export async function lookAgain(database: Database): Promise<void> {
  await database.query(sql`update event_cursors set due_at = now()`);
  await database.query(sql`select pg_notify('work_ready', 'webhooks')`);
}

/** Waits until this many attempts were made and written down, whatever came of them. */
export async function untilAttempts(database: Database, count: number): Promise<void> {
  const attempts = sql`select coalesce(sum(attempts), 0)::integer as count from deliveries`;
  await expect
    .poll(async () => (await database.query<{ count: number }>(attempts))[0]?.count, patience)
    .toBe(count);
}

/** As another node would that tells nothing at once: writes all new events down, due after a delay. */
export async function writeDown(database: Database, companyId: string, delayMs = 0): Promise<void> {
  const [nodeId, claimId] = [randomUUID(), randomUUID()];
  const request = {
    nodeId,
    claimId,
    held: [],
    direct: [],
    limit: 10_000,
    now: new Date(),
    delayMs,
  };
  await claimEvents(database, companyId, request);
}

/** Until nothing is in the hand of a node any more: everything that was sent is written down. */
export async function untilNothingInHand(database: Database): Promise<void> {
  const inHand = sql`
    select 1 from claims union all select 1 from deliveries where claim_id is not null`;
  await expect.poll(async () => (await database.query(inHand)).length, patience).toBe(0);
}

/** For what happens by itself and soon: generous, because it only has to catch what never happens. */
export const patience = { timeout: 120_000, interval: 20 };

/**
 * For what every node does when it is told: well within the half minute after which a node would find it out by itself. The
 * machine may be slow, so it is not a moment.
 */
export const atOnce = { timeout: 10_000, interval: 20 };
