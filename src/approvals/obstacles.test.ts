import { expect } from "vitest";
import {
  approvedPayment,
  deskOf,
  deskWith,
  member,
  payrollOf,
  somebody,
  transferOf,
  trusted,
} from "../../test/desk.ts";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { changeCompany } from "../companies/change-company.ts";
import { fundCompany } from "../companies/fund-company.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { setFrozen } from "../ledger/freeze.ts";
import { balancesOf } from "../ledger/post.ts";
import { referenceTaken } from "../payouts/follow-payouts.ts";
import { carryOut, nextCarryingOutMs } from "./carry-out.ts";
import { approve } from "./decide.ts";
import { findGaps } from "./find-proposals.ts";
import type { Proposal } from "./proposal.ts";
import { propose } from "./propose.ts";
import { resume, withdraw } from "./withdraw.ts";

const maker = somebody();

async function references(database: Database): Promise<string[]> {
  const rows = await database.query<{ reference: string }>(sql`
    select reference from transfers order by id`);
  return rows.map(({ reference }) => reference);
}

/** The same database, but something happens before each transaction of a company. */
function interrupted(database: Database, before: () => Promise<void>): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "transactionOf")
        return async (...args: Parameters<Database["transactionOf"]>) => {
          await before();
          return target.transactionOf(...args);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

test("rows whose reference somebody used meanwhile are passed over, and the others paid", async ({
  db,
  company,
}) => {
  const desk = await deskWith(db.database, company.id, maker);
  const payroll = await propose(desk, {
    companyId: company.id,
    by: maker,
    title: "Paie",
    asked: payrollOf("june", 6),
  });
  for (const reference of ["june-1", "june-4", "june-5"])
    await approvedPayment(desk, maker, company.id, transferOf(reference));
  await approve(desk, {
    companyId: company.id,
    proposalId: payroll.id,
    reviewedHash: payroll.hash,
    by: await member(db.database, company.id),
    checkPerson: trusted,
  });

  const done = await carryOut(desk, company.id, payroll.id, undefined, 4);

  expect(done).toMatchObject({ state: "carried_out" });
  expect((await references(db.database)).toSorted()).toEqual(names("june", 6));
  expect(await findGaps(db.database, company.id, payroll.id)).toEqual(
    [1, 4, 5].map((row) => ({ row, reason: referenceTaken })),
  );
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a payroll that is not covered begins with nobody, and goes on when somebody says so", async ({
  db,
}) => {
  const company = await makeCompany(db.database, { fund: 90_000 });
  const desk = await deskWith(db.database, company.id, maker);
  const { id } = await approvedPayment(desk, maker, company.id, payrollOf("june", 20));
  const step = { companyId: company.id, proposalId: id, by: maker };

  expect(await carryOut(desk, company.id, id, undefined, 5)).toMatchObject({
    state: "stopped",
    problem: "insufficient_funds",
    doneRows: 0,
  });
  expect(await references(db.database)).toEqual([]);
  expect(await db.database.transaction((tx) => nextCarryingOutMs(tx, company.id))).toBe(undefined);
  await fundCompany(db.database, new Date(), { companyId: company.id, amount: 10_000 });
  await resume(desk, step);

  expect(await carryOut(desk, company.id, id)).toMatchObject({ state: "carried_out" });
  await expect(withdraw(desk, step)).rejects.toThrow("decided or withdrawn already");
});

test("a payroll whose fees are not covered begins with nobody either", async ({ db }) => {
  const company = await makeCompany(db.database, { fund: 20_039 });
  await changeCompany(db.database, company.id, { price: { transferFee: { flat: 10 } } });
  const desk = deskOf(db.database);
  const { id } = await approvedPayment(desk, maker, company.id, payrollOf("june", 4));
  const carryOn = () => carryOut(desk, company.id, id, undefined, 2);

  expect(await carryOn()).toMatchObject({
    state: "stopped",
    problem: "insufficient_funds",
    doneRows: 0,
  });
  expect(await references(db.database)).toEqual([]);
  // A franc more is exactly enough.
  await fundCompany(db.database, new Date(), { companyId: company.id, amount: 1 });
  await resume(desk, { companyId: company.id, proposalId: id, by: maker });
  expect(await carryOn()).toMatchObject({ state: "carried_out", doneRows: 4 });
  expect((await balancesOf(db.database, company.id)).available).toBe(0);
});

test("a node that was hindered and comes late stops nothing that another has carried on", async ({
  db,
}) => {
  const company = await makeCompany(db.database, { fund: 15_000 });
  const other = deskOf(db.database.fork());
  const { id } = await approvedPayment(other, maker, company.id, payrollOf("june", 4));
  let transactions = 0;
  const late = deskOf(
    interrupted(db.database, async () => {
      transactions += 1;
      // It has found too little, and is about to say so: money comes, and another node makes a part.
      if (transactions !== 2) return;
      await fundCompany(db.database, new Date(), { companyId: company.id, amount: 5_000 });
      let steps = 0;
      await carryOut(other, company.id, id, () => (steps += 1) <= 1, 2);
      expect(await references(db.database)).toHaveLength(2);
    }),
  );

  expect(await carryOut(late, company.id, id, undefined, 2)).toMatchObject({
    state: "carried_out",
    problem: null,
  });
  expect(await references(db.database)).toEqual(names("june", 4));
  await other.database.close();
});

test("a single transfer whose reference is used meanwhile lapses; one of a frozen company stops", async ({
  db,
  company,
}) => {
  const desk = await deskWith(db.database, company.id, maker);
  const request = { companyId: company.id, by: maker, title: "Loyer", asked: transferOf("rent") };
  const [one, other] = [await propose(desk, request), await propose(desk, request)];
  const decide = async ({ id, hash }: Proposal) =>
    approve(desk, {
      companyId: company.id,
      proposalId: id,
      reviewedHash: hash,
      by: await member(db.database, company.id),
      checkPerson: trusted,
    });

  expect(await decide(one)).toMatchObject({ state: "carried_out" });
  expect(await decide(other)).toMatchObject({ state: "lapsed", problem: "duplicate_reference" });
  const payroll = await approvedPayment(desk, maker, company.id, payrollOf("june", 2));
  await db.database.transaction((tx) => setFrozen(tx, company.id, true));
  expect(await carryOut(desk, company.id, payroll.id)).toMatchObject({
    state: "stopped",
    problem: "company_frozen",
  });
  expect(await references(db.database)).toEqual(["rent"]);
});
