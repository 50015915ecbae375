import { Readable } from "node:stream";
import { expect } from "vitest";
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
import { leftOutMax } from "./leave-out.ts";
import type { Payout } from "./payout.ts";
import type { Plan } from "./plan.ts";
import { preparePayouts } from "./prepare-payouts.ts";
import { readPayouts } from "./read-payouts.ts";
import { sendPayouts } from "./send-payouts.ts";

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

test("with what is wrong left out, the others are paid; killed and begun again, the same are left out", async ({
  db,
  service,
  company,
}) => {
  const paymaster = paymasterOf(service, company);
  const account = await paymaster.account();
  const file = [
    "msisdn,amount",
    "221770000009,500000", // nobody's yet
    "2250700000000,25.000",
    "2250700000000,5000",
    "2250700000000,6000",
    "2250700000000,900000000",
    "2250700000000,7000",
  ].join("\n");
  const read = () =>
    readPayouts(Readable.from([Buffer.from(file)]), "p.csv", {
      country: account.country,
      allowRepeats: false,
    });
  const whole = await preparePayouts(paymaster, account, await read(), {});
  expect(whole.findings.map(({ line }) => line)).toEqual([null, 2, 3, 6]);

  const draft = await read();
  const first = await preparePayouts(paymaster, account, draft, { skipInvalid: true });
  expect(first).toMatchObject({
    findings: [],
    leftOut: { 2: "RECIPIENT_UNKNOWN", 3: "AMOUNT_AMBIGUOUS", 6: "AMOUNT_OUT_OF_RANGE" },
    review: { count: 3, total: 18_000 },
  });
  const { leftOut } = first;
  let kept: Plan = { ...plan, fileHash: draft.fileHash, chunkRows: 1, leftOut };
  const killed = sendPayouts(paymaster, kept, first.payouts, async (next) => {
    kept = next;
    throw new Error("killed");
  });
  await expect(killed).rejects.toThrow("killed");
  // Now somebody has that number: the choice stands.
  await makeCustomer(db.database, "221770000009");

  const again = await preparePayouts(paymaster, account, await read(), { begun: kept });
  expect(again).toMatchObject({ findings: [], leftOut, isContinued: true });
  await sendPayouts(paymaster, kept, again.payouts, async () => {});
  const outcomes = await outcomesOf(paymaster, again.payouts);
  expect(outcomes.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(await paymaster.balance()).toBe(1_000_000 - 18_000);
});

test("too much that is wrong is not left out, nor are headings, nor everybody", async ({
  service,
  company,
}) => {
  const paymaster = paymasterOf(service, company);
  const account = await paymaster.account();
  const wrong = Array.from({ length: leftOutMax + 1 }, () => "2250700000000,x");
  for (const [lines, code] of [
    [["msisdn,amount", "2250700000000,5000", ...wrong], "too_many_wrong"],
    [["msisdn,sum of money", "2250700000000,5000"], "column_missing"],
    [["msisdn,amount", "2250700000000,x"], "no_rows"],
    [["msisdn,amount", "x,5000", ...rows(300).map(() => "2250700000000,5000")], "balance_too_low"],
  ] as const) {
    const draft = await readPayouts(Readable.from([Buffer.from(lines.join("\n"))]), "p.csv", {
      country: account.country,
      allowRepeats: true,
    });
    const { findings } = await preparePayouts(paymaster, account, draft, { skipInvalid: true });
    expect(findings.map((finding) => finding.code)).toContain(code);
  }
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
