import { expect } from "vitest";
import { ChargeClient, expire, payer, paymentsOf } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { isFoundAt } from "../../test/spoil.ts";
import { dropOverdue } from "../charges/drop-charges.ts";
import { sql } from "../database/sql.ts";
import { eventTimeChecks } from "./audit-times.ts";

test("each event bears exactly the time of what it tells of, and one that is dated otherwise is seen", async ({
  db,
}) => {
  const { database } = db;
  const service = await startService(db);
  const company = await makeCompany(database, { fund: 1_000_000, chargeFeeRatePpm: 10_000 });
  const transfer = { type: "transfer", amount: 5_000, msisdn: payer };
  const token = company.accessToken;
  for (const [path, body] of [
    ["", { ...transfer, reference: "alone" }],
    ["", { ...transfer, msisdn: "2250700000001", reference: "failing" }],
    ["/batch", { transactions: [{ ...transfer, reference: "in a batch" }] }],
  ] as const)
    await service.call("POST", `/v1/transactions${path}`, { token, body });
  const charges = new ChargeClient(service, company);
  const paid = await charges.paid();
  for (const amount of [5_000, 2_000]) await charges.refund(paid, { amount });
  const due = await charges.made({ externalId: "due" });
  await untilSettled(database);
  await service.stop();
  await expire(db, due);
  await dropOverdue(paymentsOf(db), company.id, [due]);

  // As of a release that has been there for long: what is told is exact from then on.
  await database.query(sql`
    update schema_functions set applied_at = now() - interval '2 days' where file = 'webhooks/publish-events.sql'`);
  expect(await auditDifferences(database)).toEqual([]);
  const events = await database.query<{ number: number }>(sql`
    select last_number as number from event_runs where company_id = ${company.id} order by last_number`);
  expect(events.length).toBeGreaterThanOrEqual(10);
  for (const { number } of events)
    for (const change of ["+ interval '1 millisecond'", "- interval '1 millisecond'"]) {
      const text = `update event_runs set created_at = created_at ${change} where last_number = ${number}`;
      expect(await isFoundAt(database, [text], () => true, eventTimeChecks), text).toBe(true);
    }
  for (const text of [
    `update charges set updated_at = updated_at + interval '1 millisecond' where id = '${due}'`,
    "update outcomes set ended_at = ended_at + interval '1 millisecond'",
    "update batches set updated_at = updated_at + interval '1 millisecond'",
  ])
    expect(await isFoundAt(database, [text], () => true, eventTimeChecks), text).toBe(true);
});
