import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ChargeClient, chargeEvents, expire } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";

test("a worker drops what nobody paid when its time is over, and leaves the rest alone", async ({
  db,
}) => {
  const service = await startService(db, { CHARGE_LIFETIME_SECONDS: "2" });
  try {
    const company = await makeCompany(db.database);
    const charges = new ChargeClient(service, company);
    const [unpaid, paid] = [await charges.made(), await charges.paid({ externalId: "paid" })];
    await untilNothingIsDue(db);

    const row = await db.database.query<{
      status: string;
      dropped_reason: string;
      late: boolean;
    }>(sql`
      select status, dropped_reason, updated_at >= date_trunc('milliseconds', expires_at) as late
      from charges where id = ${unpaid}`);
    expect(row).toEqual([{ status: "dropped", dropped_reason: "EXPIRED", late: true }]);
    expect((await charges.get(paid)).body.status).toBe("paid");
    const events = await chargeEvents(db, company.id);
    expect(
      events.map(({ subject, data }) => [subject, data["status"], data["droppedReason"]]),
    ).toEqual([
      [paid, "paid", null],
      [unpaid, "dropped", "EXPIRED"],
    ]);
    // Nothing is left to look at, so nothing is marked.
    await until(async () => {
      const work = await db.database.query(sql`select 1 from work where queue = 'charges'`);
      return work.length === 0;
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await service.stop();
  }
});

test("more than a set at once, of several companies, by two workers: each is dropped and told once", async ({
  db,
}) => {
  const api = await startService(db, { ROLES: "api" });
  const companies = await Promise.all([makeCompany(db.database), makeCompany(db.database)]);
  for (const company of companies) {
    await new ChargeClient(api, company).made();
    await db.database.query(sql`
      insert into charges (company_id, id, external_id, description, amount, fee, fee_rate_ppm,
        on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at, expires_at)
      select ${company.id}, i.id, 'e' || x, 'd', 5, 0, 0, 'https://a.example',
        'https://a.example', time_of_id(i.id), now(), now() + interval '1 hour'
      from generate_series(1, 1200) as x,
        ordered_id((extract(epoch from now()) * 1000)::bigint, x, 1) as i(id)`);
  }
  await api.stop();
  await db.database.query(sql`update charges set expires_at = now()`);
  await db.database.query(sql`update work set ready_at = now()`);

  const workers = await Promise.all([
    startService(db, { ROLES: "worker" }),
    startService(db, { ROLES: "worker" }),
  ]);
  try {
    await untilNothingIsDue(db);
    for (const { id } of companies) {
      const rows = await db.database.query(sql`
        select count(*) as events, count(distinct subject_id) as subjects, max(number) as last
        from events where company_id = ${id}`);
      expect(rows).toEqual([{ events: 1_201, subjects: 1_201, last: 1_201 }]);
    }
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
});

test("a charge that expires sooner than those before it is looked at in time", async ({ db }) => {
  const company = await makeCompany(db.database);
  const slow = await startService(db, { ROLES: "api", CHARGE_LIFETIME_SECONDS: "3600" });
  const later = await new ChargeClient(slow, company).made({ externalId: "later" });
  await slow.stop();
  const service = await startService(db, { CHARGE_LIFETIME_SECONDS: "1" });
  try {
    const sooner = await new ChargeClient(service, company).made({ externalId: "sooner" });
    await until(async () => (await statusOf(db, sooner)) === "dropped");
    expect(await statusOf(db, later)).toBe("due");
    // And the next look is when the other one's time is over.
    await until(async () => {
      const marks = await db.database.query(sql`
        select 1 from work where queue = 'charges' and ready_at > now() + interval '50 minutes'`);
      return marks.length === 1;
    });
  } finally {
    await service.stop();
  }
});

// The node's clock says when a charge was made, the database's how long it lives.
test("the lifetime is counted by the database's clock", async ({ db, service, company }) => {
  const id = await new ChargeClient(service, company).made();
  const rows = await db.database.query(sql`
    select expires_at between clock_timestamp() + interval '59 minutes'
      and clock_timestamp() + interval '1 hour' as hour from charges where id = ${id}`);

  expect(rows).toEqual([{ hour: true }]);
});

test("the database itself refuses a charge that is both paid and dropped, and what else must never be", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const [due, paid, dropped] = [
    await charges.made({ externalId: "due" }),
    await charges.paid({ externalId: "paid" }),
    await charges.made({ externalId: "dropped" }),
  ];
  await expire(db, dropped);
  await charges.get(dropped);
  const refused = [
    `update charges set dropped_reason = 'EXPIRED' where id = '${paid}'`,
    `update charges set status = 'dropped', dropped_reason = 'EXPIRED' where id = '${paid}'`,
    `update charges set status = 'paid', paid = amount, attempts = 1 where id = '${dropped}'`,
    `update charges set status = 'paid', paid = amount where id = '${due}'`,
    `update charges set paid = amount, attempts = 1 where id = '${due}'`,
    `update charges set status = 'paid', paid = amount - 1, attempts = 1 where id = '${due}'`,
    `update charges set status = 'refunded', refunded = amount + 1 where id = '${paid}'`,
    `update charges set status = 'refunded_partially', refunded = -1 where id = '${paid}'`,
    `update charges set status = 'created' where id = '${due}'`,
    `update charges set fee = amount + 1 where id = '${due}'`,
    `update charges set fee = -1 where id = '${due}'`,
    `update charges set amount = 0 where id = '${due}'`,
    `update charges set external_id = 'paid' where id = '${due}'`,
    `update charge_transactions set amount = 1`,
    `delete from charge_transactions`,
    `truncate charge_transactions`,
    `insert into charge_transactions select company_id, charge_id, gen_random_uuid(), type, msisdn,
      msisdn_given, amount, fee, status, error from charge_transactions`,
    `update companies set charge_amount_max = 1000000001`,
    `update companies set charge_fee_rate_ppm = 1000000`,
  ];
  for (const text of refused)
    await expect(db.database.query({ text, values: [] }), text).rejects.toThrow(
      /violates|append-only|cannot truncate|invalid input value for enum/,
    );
});

async function statusOf({ database }: TestDatabase, id: string): Promise<string | undefined> {
  const rows = await database.query<{ status: string }>(sql`
    select status from charges where id = ${id}`);
  return rows[0]?.status;
}

async function untilNothingIsDue({ database }: TestDatabase): Promise<void> {
  await until(
    async () =>
      (await database.query(sql`select 1 from charges where status = 'due' limit 1`)).length === 0,
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("it never came to be");
    await sleep(20);
  }
}
