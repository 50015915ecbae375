import { expect, onTestFinished } from "vitest";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { Business, zone } from "../../test/month/business.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { fund, sealAll, sealingOf } from "../../test/seals.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { isFoundAt } from "../../test/spoil.ts";
import { sql } from "../database/sql.ts";
import { statementChecks } from "./audit-chain.ts";
import { keepOlderDays } from "./keep-days.ts";
import { readDays } from "./read-days.ts";

/** A moment of March 2026 as clocks in Niamey show it, an hour ahead of UTC. */
function at(day: number, hours: number): Date {
  return new Date(Date.UTC(2026, 2, day, hours - 1));
}

function dayName(day: number): string {
  return `2026-03-${String(day).padStart(2, "0")}`;
}

/** Some days of a company that does a little of everything; the last of them is not over. */
async function spendDays(db: TestDatabase): Promise<Business> {
  const clock = await giveClock(db, at(3, 9));
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const worker = await startService(db, { ROLES: "worker" });
  onTestFinished(() => worker.stop());
  const business = await Business.open(db, service, 1_000_000);
  for (const day of [3, 4, 7, 8]) {
    await clock.moveTo(at(day, 10));
    await business.pay({ amount: 5_000 + day });
    await business.pay({ amount: 20_000 + day, comesBack: true });
    await business.collect(7_000 + day);
    // What is under way while the clock jumps would begin at one time and end at another.
    await business.settled();
    await clock.moveTo(at(day, 23));
    await business.pay({ amount: 9_000 + day });
    await business.settled();
  }
  return business;
}

/** What the business knows of its days without having read any books. */
function expectedOf(business: Business, days: readonly number[]) {
  return days.map((day) => {
    const until = business.lines.filter((line) => line.day <= dayName(day));
    const of = until.filter((line) => line.day === dayName(day));
    const kinds = [...new Set(of.map(({ kind }) => kind))];
    return {
      day: dayName(day),
      balance: until.length === 0 ? null : until.reduce((sum, { amount }) => sum + amount, 0),
      totals: kinds
        .map((kind) => {
          const same = of.filter((line) => line.kind === kind);
          const sum = (field: "amount" | "fee") =>
            same.reduce((total, line) => total + line[field], 0);
          return { kind, count: same.length, amount: sum("amount"), fee: sum("fee") };
        })
        .toSorted((one, other) => one.kind.localeCompare(other.kind)),
    };
  });
}

async function readSorted(db: TestDatabase, companyId: string, count: number) {
  const days = await readDays(db.database, at(8, 23), { companyId, timeZone: zone, count });
  return days.map((day) => ({
    ...day,
    totals: day.totals?.toSorted((one, other) => one.kind.localeCompare(other.kind)) ?? "not kept",
  }));
}

test("each of the last days has what happened on it and the balance at its end, sealed or not", async ({
  db,
}) => {
  const business = await spendDays(db);
  const { id } = business.company;
  const expected = expectedOf(business, [1, 2, 3, 4, 5, 6, 7, 8]);

  // Nothing is sealed: only today and what was before it are told apart.
  const unsealed = await readSorted(db, id, 8);
  expect(unsealed.at(-1)).toEqual(expected.at(-1));
  expect(unsealed.at(-2)?.balance).toBe(expected.at(-2)?.balance);

  await sealAll(await sealingOf(db, zone), id);
  expect(await readSorted(db, id, 8)).toEqual(expected);
  expect(await readSorted(db, id, 3)).toEqual(expected.slice(-3));
  expect(await readSorted(db, id, 2)).toEqual(expected.slice(-2));
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("days that were sealed without their sums say so, until they are kept", async ({ db }) => {
  const business = await spendDays(db);
  const { id } = business.company;
  await sealAll(await sealingOf(db, zone), id);
  await db.database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query(sql`delete from day_totals where day in ('2026-03-04', '2026-03-07')`);
  });
  const totals = (await readSorted(db, id, 6)).map((day) => day.totals);
  expect(totals.map((one) => one === "not kept")).toEqual([false, true, false, false, true, true]);

  await keepOlderDays(db.database, id, () => true);

  expect(await readSorted(db, id, 8)).toEqual(expectedOf(business, [1, 2, 3, 4, 5, 6, 7, 8]));
});

test("a company that has posted nothing has days of nothing", async ({ db }) => {
  const { id: companyId } = await makeCompany(db.database, { fund: 0 });
  const days = await readDays(db.database, new Date(), { companyId, timeZone: zone, count: 2 });
  expect(days.map(({ totals }) => totals)).toEqual([[], []]);
  expect(days.map(({ balance }) => balance)).toEqual([null, 0]);
});

test("the audit compares the sums of a day with its seal", async ({ db }) => {
  const clock = await giveClock(db, at(3, 9));
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await fund(db, id, 500);
  await clock.moveTo(at(4, 9));
  await sealAll(await sealingOf(db, zone), id);
  const checks = statementChecks.filter(({ name }) => name.startsWith("the sums of a day"));
  expect(await auditDifferences(db.database)).toEqual([]);
  const change = "update day_totals set amounts[1] = amounts[1] + 1";
  expect(await isFoundAt(db.database, [change], () => true, checks)).toBe(true);
});
