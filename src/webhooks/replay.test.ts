import { expect } from "vitest";
import { type TestCompany, type TestService, test } from "../../test/fixtures.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { countReplay, replayDeliveries } from "./replay-deliveries.ts";

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
  await untilAttempts(db.database, 4);

  const until = new Date(Date.now() + hour);
  for (const webhookId of [ids["started"] ?? "", ids["completed"] ?? ""]) {
    const request = { companyId: company.id, webhookId, since, until, failedOnly: false };
    for await (const queued of replayDeliveries(db.database, request)) expect(queued).toBe(2);
  }
  await untilAttempts(db.database, 8);
  expect(await attemptsOf(service, company, ids)).toEqual([2, 2, 2, 2]);
  const messages = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  expect(messages.slice(4).toSorted()).toEqual(messages.slice(0, 4).toSorted());
});

test("a range of time has exactly what was told in it, wherever it begins and ends, also where numbers are missing", async ({
  db,
  company,
}) => {
  const webhookId = company.id;
  // One a minute, every third number, for ten hours; two in a row are out of order by half a minute.
  await db.database.query(sql`
    insert into deliveries (
      company_id, webhook_id, event_number, endpoint_id, subject_id, status, attempts, tries, updated_at, created_at)
    select ${company.id}, ${webhookId}, 3 * n, ${webhookId}, gen_random_uuid(), 'failed', 12, 12, now(),
      '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute' + (n % 2) * interval '90 seconds'
    from generate_series(1, 600) as n`);
  const start = Date.parse("2026-01-01T00:00:00Z");
  const moments = [-10, 0, 1, 2, 3, 59.5, 60, 300, 598, 600, 601.5, 602, 900];
  for (const from of moments) {
    for (const to of moments) {
      const since = new Date(start + from * 60_000);
      const until = new Date(start + to * 60_000);
      const [row] = await db.database.query<{ count: number }>(sql`
        select count(*) as count from deliveries where created_at >= ${since} and created_at <= ${until}`);
      const request = { companyId: company.id, webhookId, since, until, failedOnly: true };
      expect(await countReplay(db.database, request), `${from} to ${to}`).toBe(row?.count);
    }
  }
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
