import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { ChargeClient, decliner } from "../../test/charges.ts";
import { deskOf, member, payrollOf, transferOf, trusted } from "../../test/desk.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { reviewed, sendBatchByKey, sendByKey } from "../../test/held.ts";
import { fund } from "../../test/seals.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { carryOut } from "../approvals/carry-out.ts";
import { approve, refuse } from "../approvals/decide.ts";
import { approveHeld, refuseHeld } from "../approvals/decide-held.ts";
import { propose } from "../approvals/propose.ts";
import { setAloneMax, setKeysAloneMax } from "../approvals/rules.ts";
import { changeCompany } from "../companies/change-company.ts";
import { freezeCompany, unfreezeCompany } from "../companies/freeze-company.ts";
import { adjustBooks, withdrawFromCompany } from "../companies/move-money.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { Metrics } from "../kernel/metrics.ts";
import { operator } from "../trail/actor.ts";
import { ClockWatch } from "./clock-watch.ts";

test("no posting is dated before the one before it, though the clock went back", async ({ db }) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  // As if the last one had been made when the clock was five minutes ahead.
  const [ahead] = await db.database.query<{ at: Date }>(sql`
    select date_trunc('milliseconds', now() + interval '5 minutes') as at`);
  await db.database.query(sql`update books set posted_at = ${ahead?.at ?? null}`);

  await fund(db, id, 500);

  const [last] = await db.database.query<{ created_at: Date }>(sql`
    select created_at from postings where company_id = ${id} order by number desc limit 1`);
  expect(last?.created_at).toEqual(ahead?.at);
});

const minuteMs = 60_000;
const by = operator("a test");

/** A company with something of every kind under way. */
async function openBusiness(db: TestDatabase, service: TestService) {
  const { database } = db;
  const company = await makeCompany(database, { fund: 5_000_000 });
  const charges = new ChargeClient(service, company);
  const desk = deskOf(database);
  const maker = await member(database, company.id);
  const checker = await member(database, company.id);
  const ask = (asked: Parameters<typeof propose>[1]["asked"]) =>
    propose(desk, { companyId: company.id, by: maker, title: "Paie", asked });
  const decisionOf = ({ id, hash }: { id: string; hash: string }) => ({
    companyId: company.id,
    proposalId: id,
    reviewedHash: hash,
    checkPerson: trusted,
    by: checker,
  });
  return { company, charges, desk, ask, decisionOf };
}

/** Everything the operator may do, once. */
async function operate(db: TestDatabase, { id }: TestCompany, round: string, fee: number) {
  const { database } = db;
  const signals = new Signals(db.url, database);
  await fund(db, id, 20_000);
  const common = { companyId: id, reference: round };
  await withdrawFromCompany(database, new Date(), { ...common, amount: 1_000, memo: null }, by);
  const correction = { from: "available", to: "fees", amount: 500, reason: "a mistake" } as const;
  await adjustBooks(database, new Date(), { ...common, ...correction }, by);
  await changeCompany(database, id, { price: { transferFee: { flat: fee } } }, by);
  await setAloneMax(database, id, fee, by);
  await setKeysAloneMax(database, id, 1_000 + fee, by);
  await freezeCompany(database, signals, id, by);
  await unfreezeCompany(database, signals, id, by);
}

test("whatever happens after the database's clock went back is dated after what happened before, and the audit is clean", async ({
  db,
}) => {
  const { database } = db;
  const ahead = new Date(Date.now() + 30 * minuteMs);
  const clock = await giveClock(db, ahead);
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const business = await openBusiness(db, service);
  const { company, charges, desk, ask, decisionOf } = business;
  expect((await sendByKey(service, company, "before")).status).toBe(201);
  expect((await sendBatchByKey(service, company, "batch-before", 3)).status).toBe(201);
  const due = await charges.made({ externalId: "due" });
  const paid = await charges.paid({ externalId: "paid" });
  const refunded = await charges.paid({ externalId: "refunded" });
  expect((await charges.refund(refunded, { amount: 1_000 })).status).toBe(200);
  await operate(db, company, "before", 3);
  expect((await sendByKey(service, company, "held-1")).status).toBe(201);
  expect((await sendByKey(service, company, "held-2")).status).toBe(201);
  const proposals = [
    await ask(transferOf("rent")),
    await ask({ kind: "refund", chargeId: paid, amount: 2_000 }),
    await ask(payrollOf("june", 3)),
  ];
  const unwanted = await ask(transferOf("unwanted"));
  const other = await makeCompany(database, { name: "Other" });

  await clock.moveTo(new Date(ahead.getTime() - 25 * minuteMs));
  const worker = await startService(db, { ROLES: "worker", CHARGE_LIFETIME_SECONDS: "60" });
  onTestFinished(() => worker.stop());
  await untilSettled(database);
  await operate(db, company, "after", 7);
  await setKeysAloneMax(database, company.id, null, by);
  expect((await sendByKey(service, company, "after")).status).toBe(201);
  expect((await sendBatchByKey(service, company, "batch-after", 3)).status).toBe(201);
  await approveHeld(desk, await reviewed(database, company.id, undefined, { kind: "oldest" }));
  await setKeysAloneMax(database, company.id, 0, by);
  expect((await sendByKey(service, company, "held-3")).status).toBe(201);
  await refuseHeld(desk, { ...(await reviewed(database, company.id)), comment: "non" });
  for (const proposal of proposals) {
    const { id, state } = await approve(desk, decisionOf(proposal));
    // The price of the transfers has changed since.
    expect(["lapsed", "carried_out"]).toContain(state);
    if (state === "approved") await carryOut(desk, company.id, id);
  }
  await refuse(desk, { ...decisionOf(unwanted), comment: "non" });
  await approve(desk, decisionOf(await ask(transferOf("again"))));
  expect((await charges.pay(due, decliner)).body.status).toBe("due");
  expect((await charges.pay(due)).body.status).toBe("paid");
  expect((await charges.refund(due, { amount: 4_000 })).status).toBe(200);
  expect((await charges.refund(due)).status).toBe(200);
  expect((await charges.refund(paid)).status).toBe(200);
  expect((await charges.refund(refunded, { amount: 500 })).status).toBe(200);
  await charges.paid({ externalId: "new" });
  // The first transfer of a company whose books are ahead of the clock.
  expect((await sendByKey(service, other, "first")).status).toBe(201);
  // Its time is over while the clock is still behind what its company has posted.
  const hasty = await startService(db, { ROLES: "api", CHARGE_LIFETIME_SECONDS: "60" });
  onTestFinished(() => hasty.stop());
  const expired = await new ChargeClient(hasty, other).made({ externalId: "expired" });
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);

  await clock.moveTo(new Date(ahead.getTime() - 20 * minuteMs));
  expect((await new ChargeClient(hasty, other).get(expired)).body.status).toBe("dropped");
  expect(await auditDifferences(database)).toEqual([]);
  await expectOrdered(db);
  for (const path of ["/v1/transactions", "/v1/charges"]) {
    const { body } = await service.call("GET", `${path}?limit=100`, { token: company.accessToken });
    expect(body.data.length).toBeGreaterThan(2);
    for (const { createdAt, updatedAt } of body.data)
      expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  }

  await clock.moveTo(new Date(ahead.getTime() + minuteMs));
  expect((await sendByKey(service, other, "later")).status).toBe(201);
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);
}, 180_000);

/** What is dated before something that it came after; a test expects nothing. */
async function expectOrdered({ database }: TestDatabase): Promise<void> {
  const wrong = await database.query(sql`
    select 'posting' as what, s.number::text as id from (
      select number, created_at, lag(created_at) over (partition by company_id order by number) as before from postings
    ) s where s.created_at < s.before
    union all
    select 'outcome', o.id::text from outcomes o
    join postings p on p.company_id = o.company_id and p.subject_id = o.id and p.event = 'transfer.reserved'
    where o.ended_at < p.created_at or o.ended_at < time_of_id(o.id) or p.created_at < time_of_id(o.id)
    union all
    select 'outcome before its books', o.id::text from outcomes o
    join postings p on p.company_id = o.company_id and p.subject_id = o.id and p.event <> 'transfer.reserved'
    join postings b on b.company_id = p.company_id and b.number < p.number and b.subject_id <> o.id
    where o.ended_at < b.created_at and p.created_at > b.created_at
    union all
    select 'movement', m.id::text from (
      select company_id, id, created_at from fundings union all select company_id, id, created_at from withdrawals
      union all select company_id, id, created_at from adjustments union all
      select company_id, id, created_at from charge_transactions where status = 'completed'
    ) m
    join postings p on p.company_id = m.company_id and p.subject_id = m.id
    join postings b on b.company_id = p.company_id and b.number = p.number - 1 and b.subject_id <> m.id
    where m.created_at < b.created_at or p.created_at < m.created_at
    union all
    select 'wallet entry', e.subject_id::text from wallet_entries e
    join postings p on p.company_id = e.company_id and p.subject_id = e.subject_id and p.event = e.event
    where abs(extract(epoch from e.created_at - p.created_at)) > 60
    union all
    select 'batch', b.id::text from batches b where b.updated_at < time_of_id(b.id)
    union all
    select 'charge', c.id::text from charges c where c.updated_at < c.created_at
    union all
    select 'transaction of a charge', t.id::text from (
      select id, created_at, lag(created_at) over (partition by company_id, charge_id order by created_at) as before
      from charge_transactions
    ) t where t.created_at <= t.before
    union all
    select 'decision', a.proposal_id::text from approvals a where a.decided_at < time_of_id(a.proposal_id)`);
  expect(wrong).toEqual([]);
}

test("a jump of the clock is counted and logged, and so is a clock that is behind what was posted", async ({
  db,
}) => {
  const lines: string[] = [];
  const logger = pino({ level: "error" }, { write: (line) => void lines.push(line) });
  const metrics = new Metrics();
  const watch = new ClockWatch(db.database, logger, metrics);
  const valueOf = (series: string) =>
    metrics
      .families()
      .flatMap((family) => family.lines)
      .find((line) => line.startsWith(series));
  await makeCompany(db.database);
  await watch.look();
  watch.onSync(-1_500);
  watch.onSync(1_500);
  expect(lines).toEqual([]);
  expect(valueOf("cauri_database_clock_behind_seconds")).toBe(
    "cauri_database_clock_behind_seconds 0",
  );

  watch.onSync(-300_000);
  watch.onSync(300_000);
  const jumps = "cauri_database_clock_jumps_total";
  expect(valueOf(`${jumps}{direction="back"}`)).toBe(`${jumps}{direction="back"} 1`);
  expect(valueOf(`${jumps}{direction="forward"}`)).toBe(`${jumps}{direction="forward"} 1`);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { direction: "back", seconds: 300, msg: "the database's clock has jumped" },
    { direction: "forward", seconds: 300 },
  ]);

  await db.database.query(sql`update books set posted_at = now() + interval '5 minutes'`);
  await watch.look();
  await watch.look();
  const seconds = Number(valueOf("cauri_database_clock_behind_seconds")?.split(" ")[1]);
  expect(seconds).toBeGreaterThan(200);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(lines.slice(2)).toHaveLength(1);
  expect(lines.at(-1)).toContain("the database's clock is behind the newest posting");
  await db.database.query(sql`update books set posted_at = now()`);
  await watch.look();
  expect(valueOf("cauri_database_clock_behind_seconds")).toBe(
    "cauri_database_clock_behind_seconds 0",
  );
});
