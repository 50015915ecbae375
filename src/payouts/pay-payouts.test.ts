import { expect, vi } from "vitest";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { sql } from "../database/sql.ts";
import { checkHistory, checkRecipients } from "./check-payouts.ts";
import { followPayouts, type PayoutOutcome, referenceTaken } from "./follow-payouts.ts";
import { HttpPaymaster } from "./http-paymaster.ts";
import type { Payout } from "./payout.ts";
import type { Plan } from "./plan.ts";
import { sendPayouts } from "./send-payouts.ts";

vi.setConfig({ testTimeout: 60_000 });

const plan: Plan = {
  version: 1,
  fileHash: "0".repeat(64),
  file: "payroll.csv",
  companyId: "com_1",
  count: 25,
  total: 0,
  fees: 0,
  chunkRows: 10,
  sentCount: 0,
  startedAt: "2026-01-31T09:00:00.000Z",
  endedAt: null,
};

test("the account tells its terms, exactly enough to know every fee beforehand", async ({ db }) => {
  const transferFee = { ratePpm: 12_345, flat: 7, min: 50, max: 900 };
  const company = await makeCompany(db.database, {
    name: "Awa",
    transferFee,
    transferAmount: { min: 1_000, max: 9_000 },
    country: "NE",
  });
  const service = await startService(db);
  try {
    expect(await paymasterOf(service, company).account()).toMatchObject({
      name: "Awa",
      transferFee,
      transferAmount: { min: 1_000, max: 9_000 },
      country: { code: "NE" },
    });
  } finally {
    await service.stop();
  }
});

test("killed after each chunk and begun again, everybody is paid once", async ({
  db,
  service,
  company,
}) => {
  const paymaster = paymasterOf(service, company);
  const payouts = rows(25);
  let kept = plan;
  let kills = 0;
  // Each time it dies after the service has accepted a chunk and before that is written down.
  for (;;) {
    try {
      ({ plan: kept } = await sendPayouts(paymaster, kept, payouts, async (next) => {
        if (kills < 4) {
          kills += 1;
          if (kills % 2 === 0) kept = next;
          throw new Error("killed");
        }
        kept = next;
      }));
      break;
    } catch (error) {
      expect(error).toMatchObject({ message: "killed" });
    }
  }
  expect([kills, kept.sentCount]).toEqual([4, 25]);

  const outcomes = await outcomesOf(paymaster, payouts);
  expect(outcomes.map(({ status }) => status)).toEqual(payouts.map(() => "completed"));
  expect(new Set(outcomes.map(({ id }) => id)).size).toBe(25);
  const [sum] = await db.database.query<{ count: number; spent: number }>(sql`
    select count(*)::int as count, sum(amount)::int as spent from transfers`);
  expect(sum).toEqual({ count: 25, spent: 125_000 });
  expect(await paymaster.balance()).toBe(1_000_000 - 125_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("the plan is lost and the keys are forgotten: the references still pay nobody twice", async ({
  db,
  service,
  company,
}) => {
  const paymaster = paymasterOf(service, company);
  const payouts = rows(25);
  await sendPayouts(paymaster, { ...plan, chunkRows: 7 }, payouts.slice(0, 14), async () => {});
  await db.database.query(sql`delete from idempotency_keys where true`);

  await sendPayouts(paymaster, plan, payouts, async () => {});

  const outcomes = await outcomesOf(paymaster, payouts);
  expect(outcomes.map(({ status }) => status)).toEqual(payouts.map(() => "completed"));
  expect(await paymaster.balance()).toBe(1_000_000 - 125_000);
});

test("a reference that somebody else uses meanwhile is not taken for the row's own", async ({
  service,
  company,
}) => {
  const paymaster = paymasterOf(service, company);
  const [first, second] = rows(2) as [Payout, Payout];
  await paymaster.send("other", [{ ...first, amount: 6_000 }]);

  await sendPayouts(paymaster, plan, [first, second], async () => {});

  expect(await outcomesOf(paymaster, [first, second])).toMatchObject([
    { status: "not_sent", reason: referenceTaken, id: null },
    { status: "completed", reason: null },
  ]);
  const history = await checkHistory(paymaster, [first, { ...second, hasOwnReference: false }]);
  expect(history).toMatchObject({ findings: [{ line: 2, code: "reference_used" }], sentCount: 1 });
});

test("without enough money it stops before the chunk that does not fit, and goes on when there is", async ({
  db,
  service,
}) => {
  const poor = await makeCompany(db.database, { fund: 60_000 });
  const paymaster = paymasterOf(service, poor);
  const payouts = rows(25);

  const stopped = await sendPayouts(paymaster, plan, payouts, async () => {});

  expect(stopped).toMatchObject({ isOutOfFunds: true, plan: { sentCount: 10 } });
  const outcomes = await outcomesOf(paymaster, payouts);
  expect(outcomes.filter(({ status }) => status === "not_sent")).toHaveLength(15);

  await fundCompany(db.database, new Date(), { companyId: poor.id, amount: 65_000 });
  const done = await sendPayouts(paymaster, stopped.plan, payouts, async () => {});
  expect(done).toMatchObject({ isOutOfFunds: false, plan: { sentCount: 25 } });
  expect(await paymaster.balance()).toBe(0);
});

test("recipients: unknown, blocked, above what their account may hold, and not identified", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "221770000001");
  await makeCustomer(db.database, "221770000002", "rejected");
  await makeCustomer(db.database, "221770000003", "pending");
  await makeCustomer(db.database, "221770000004", "complete", 9_000);
  const payout = (place: number, msisdn: string, amount = 5_000): Payout => ({
    line: place,
    msisdn,
    amount,
    reference: `r${place}`,
    hasOwnReference: true,
    description: null,
  });
  const { findings, notIdentified } = await checkRecipients(paymasterOf(service, company), [
    payout(2, "221770000001", 500_000),
    payout(3, "221770000002"),
    payout(4, "221770000003"),
    payout(5, "221770000004"),
    payout(6, "221770000009"),
    payout(7, "221770000004"),
    payout(8, "2250700000000"),
    payout(9, "2250700000001"),
    payout(10, "221770000003", 200_000),
  ]);

  expect(findings.map(({ line, code }) => [line, code])).toEqual([
    [3, "recipient_blocked"],
    [4, "recipient_over_limit"],
    [5, "recipient_over_limit"],
    [6, "recipient_unknown"],
    [7, "recipient_over_limit"],
    [9, "recipient_unknown"],
    [10, "recipient_over_limit"],
  ]);
  expect(notIdentified).toEqual([3, 4, 6, 9, 10]);
});

function paymasterOf({ url }: TestService, { accessToken }: TestCompany): HttpPaymaster {
  return new HttpPaymaster({ url, token: accessToken });
}

/** To the number that always succeeds. */
function rows(count: number): Payout[] {
  return Array.from({ length: count }, (_, place) => ({
    line: place + 2,
    msisdn: "2250700000000",
    amount: 5_000,
    reference: `row-${place}`,
    hasOwnReference: true,
    description: null,
  }));
}

async function outcomesOf(
  paymaster: HttpPaymaster,
  payouts: readonly Payout[],
): Promise<PayoutOutcome[]> {
  const outcomes: PayoutOutcome[] = [];
  for await (const outcome of followPayouts(paymaster, payouts)) outcomes.push(outcome);
  return outcomes;
}
