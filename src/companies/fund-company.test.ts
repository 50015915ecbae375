import { expect } from "vitest";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { sql } from "../database/sql.ts";
import { balanceMax } from "../kernel/amount.ts";
import { FundingReferenceUsed, FundingTooLarge } from "../ledger/errors.ts";
import { fundCompany } from "./fund-company.ts";

test("an account takes as much as a number holds exactly, and not a franc more", async ({ db }) => {
  const { id: companyId } = await makeCompany(db.database, { fund: 1_000 });
  const fund = async (amount: number) =>
    (await fundCompany(db.database, new Date(), { companyId, amount })).balance;

  expect(await fund(balanceMax - 2_000)).toBe(balanceMax - 1_000);
  await expect(fund(1_001)).rejects.toThrow(FundingTooLarge);
  await expect(fund(balanceMax)).rejects.toThrow(FundingTooLarge);
  expect(await fund(1_000)).toBe(balanceMax);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a reference funds once, for ever; with another amount it is refused, and another company may use it too", async ({
  db,
}) => {
  const [one, other] = [await makeCompany(db.database), await makeCompany(db.database)];
  const fund = (companyId: string, amount: number, reference: string) =>
    fundCompany(db.database, new Date(), { companyId, amount, reference });

  const first = await fund(one.id, 5_000, "bank 17");
  expect(first).toEqual({ balance: 1_005_000, doneAt: undefined });
  await fund(one.id, 7_000, "bank 18");
  const again = await fund(one.id, 5_000, "bank 17");
  expect(again).toEqual({ balance: 1_012_000, doneAt: expect.any(Date) });
  await expect(fund(one.id, 5_001, "bank 17")).rejects.toThrow(FundingReferenceUsed);
  expect(await fund(other.id, 5_000, "bank 17")).toMatchObject({ balance: 1_005_000 });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("five fundings of one reference at once, held up together, move the money once", async ({
  db,
  company,
}) => {
  const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
  const request = { companyId: company.id, amount: 5_000, reference: "bank 17" };
  const fundings = Array.from({ length: 5 }, () => fundCompany(db.database, new Date(), request));
  await untilLockAwaited(db.database);
  await release();

  const results = await Promise.all(fundings);
  expect(results.filter(({ doneAt }) => doneAt === undefined)).toHaveLength(1);
  expect(results.every(({ balance }) => balance === 1_005_000)).toBe(true);
  const [trail] = await db.database.query(sql`
    select count(*)::integer as count from company_trail where action = 'company.funded'`);
  expect(trail).toEqual({ count: 1 });
  expect(await auditDifferences(db.database)).toEqual([]);
});
