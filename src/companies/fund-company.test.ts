import { expect } from "vitest";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { balanceMax } from "../kernel/amount.ts";
import { FundingTooLarge } from "./errors.ts";
import { fundCompany } from "./fund-company.ts";

test("an account takes as much as a number holds exactly, and not a franc more", async ({ db }) => {
  const { id: companyId } = await makeCompany(db.database, { fund: 1_000 });
  const fund = (amount: number) => fundCompany(db.database, new Date(), { companyId, amount });

  expect(await fund(balanceMax - 2_000)).toBe(balanceMax - 1_000);
  await expect(fund(1_001)).rejects.toThrow(FundingTooLarge);
  await expect(fund(balanceMax)).rejects.toThrow(FundingTooLarge);
  expect(await fund(1_000)).toBe(balanceMax);
  expect(await auditDifferences(db.database)).toEqual([]);
});
