import { expect } from "vitest";
import { approvedPayment, deskWith, payrollOf, somebody } from "../../test/desk.ts";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { carryOut } from "../approvals/carry-out.ts";
import { withdrawFromCompany } from "../companies/move-money.ts";
import { balancesOf } from "../ledger/post.ts";
import { batchRowsMax } from "../transfers/batch.ts";
import { payrollRowsMax } from "./draft.ts";

test("a payroll goes out whole: what is spent after it has begun stops none of it half way", async ({
  db,
}) => {
  const company = await makeCompany(db.database, { fund: 10_000_000 });
  const maker = somebody();
  const desk = await deskWith(db.database, company.id, maker);
  const { id } = await approvedPayment(desk, maker, company.id, payrollOf("june", 1_001));
  let steps = 0;

  await carryOut(desk, company.id, id, () => (steps += 1) <= 1);
  const { available: amount } = await balancesOf(db.database, company.id);
  const rent = { companyId: company.id, amount, reference: "rent", memo: null };
  await withdrawFromCompany(db.database, new Date(), rent);
  const ended = await carryOut(desk, company.id, id);

  expect(ended).toMatchObject({ state: "carried_out", doneRows: 1_001 });
  expect(payrollRowsMax).toBeLessThanOrEqual(batchRowsMax);
  expect(await auditDifferences(db.database)).toEqual([]);
});
