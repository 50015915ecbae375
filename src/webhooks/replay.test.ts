import { expect } from "vitest";
import {
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { patience, send, startReceiver, subscribe } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { replayDeliveries } from "./replay-deliveries.ts";

const hour = 3_600_000;

test("without the wish for failed ones only, what had arrived is sent again too, in order per object", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url);
  const since = new Date(Date.now() - hour);
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
