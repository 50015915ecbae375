import { describe, expect } from "vitest";
import {
  deskOf,
  deskWith,
  enrol,
  member,
  payrollOf,
  somebody,
  transferOf,
  trusted,
} from "../../test/desk.ts";
import { auditDifferences, makeCompany, test, untilSettled } from "../../test/fixtures.ts";
import { changeCompany } from "../companies/change-company.ts";
import { PriceChanged } from "../companies/errors.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { setFrozen } from "../ledger/freeze.ts";
import { balancesOf } from "../ledger/post.ts";
import { operator } from "../trail/actor.ts";
import { DuplicateReference } from "../transfers/errors.ts";
import { approve, refuse } from "./decide.ts";
import { OwnProposal, ProposalChanged, ProposalClosed, ProposalNotFound } from "./errors.ts";
import { getProposal } from "./find-proposals.ts";
import type { Proposal } from "./proposal.ts";
import { propose } from "./propose.ts";
import { setAloneMax } from "./rules.ts";
import { withdraw } from "./withdraw.ts";

const maker = somebody();
const checker = somebody();

function decisionOn(companyId: string, { id, hash }: Proposal, by = checker) {
  return { companyId, proposalId: id, by, reviewedHash: hash, checkPerson: trusted };
}

async function sent(database: Database): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*)::integer as count from transfers`);
  return rows[0]?.count ?? 0;
}

test("a payment waits for another person, and is carried out once by that person's word", async ({
  db,
  company,
}) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const waiting = await propose(desk, {
    companyId: company.id,
    by: maker,
    title: "Loyer",
    asked: transferOf("rent"),
  });
  expect(waiting).toMatchObject({ state: "waiting", needsApproval: true, totalAmount: 5_000 });
  expect(await sent(db.database)).toBe(0);

  const done = await approve(desk, decisionOn(company.id, waiting));
  expect(done).toMatchObject({
    state: "carried_out",
    decision: { verdict: "approved", decidedBy: checker.personId },
  });
  expect(await sent(db.database)).toBe(1);
  expect((await balancesOf(db.database, company.id)).in_flight).toBe(5_000);
  await expect(approve(desk, decisionOn(company.id, waiting))).rejects.toThrow(ProposalClosed);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("whoever had a hand in it cannot approve or refuse it", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const helper = await member(db.database, company.id);
  const waiting = await propose(desk, {
    companyId: company.id,
    by: maker,
    hands: [helper.personId],
    title: "Paie",
    asked: payrollOf("june", 3),
  });

  for (const by of [maker, helper]) {
    const decision = decisionOn(company.id, waiting, by);
    await expect(approve(desk, decision)).rejects.toThrow(OwnProposal);
    await expect(refuse(desk, { ...decision, comment: "non" })).rejects.toThrow(OwnProposal);
  }
  expect(await getProposal(db.database, company.id, waiting.id)).toMatchObject({
    state: "waiting",
  });
});

test("what was reviewed is approved and nothing else: a franc more asks again", async ({
  db,
  company,
}) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const request = { companyId: company.id, by: maker, title: "Paie" };
  const reviewed = await propose(desk, { ...request, asked: payrollOf("june", 3) });
  await withdraw(desk, { companyId: company.id, proposalId: reviewed.id, by: maker });
  const changed = await propose(desk, { ...request, asked: payrollOf("june", 3, 5_001) });

  expect(changed.hash).not.toBe(reviewed.hash);
  await expect(
    approve(desk, { ...decisionOn(company.id, changed), reviewedHash: reviewed.hash }),
  ).rejects.toThrow(ProposalChanged);
  await expect(approve(desk, decisionOn(company.id, reviewed))).rejects.toThrow(ProposalClosed);
  expect(await sent(db.database)).toBe(0);
});

test("a price that changed meanwhile has to be reviewed again", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const request = { companyId: company.id, by: maker, title: "Loyer" };
  const waiting = await propose(desk, { ...request, asked: transferOf("rent") });
  await changeCompany(db.database, company.id, { price: { transferFee: { flat: 10 } } });

  expect(await approve(desk, decisionOn(company.id, waiting))).toMatchObject({
    state: "lapsed",
    problem: "price_changed",
    decision: null,
  });
  await expect(
    propose(desk, { ...request, asked: transferOf("rent"), priceNumber: 1 }),
  ).rejects.toThrow(PriceChanged);
  const again = await propose(desk, { ...request, asked: transferOf("rent"), priceNumber: 2 });
  expect(again).toMatchObject({ state: "waiting", totalFee: 10 });
  expect(await sent(db.database)).toBe(0);
});

test("a refusal says why, and a code that is wrong decides nothing", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const waiting = await propose(desk, {
    companyId: company.id,
    by: maker,
    title: "Loyer",
    asked: transferOf("rent"),
  });
  const decision = decisionOn(company.id, waiting);
  const checkPerson = async () => {
    throw new Error("wrong code");
  };

  await expect(approve(desk, { ...decision, checkPerson })).rejects.toThrow("wrong code");
  const unproved = { ...decision, checkPerson, comment: "Trop tôt" };
  await expect(refuse(desk, unproved)).rejects.toThrow("wrong code");
  await expect(refuse(desk, { ...decision, comment: "  " })).rejects.toThrow("Say why");
  expect(await getProposal(db.database, company.id, waiting.id)).toMatchObject({
    state: "waiting",
    decision: null,
  });
  expect(await refuse(desk, { ...decision, comment: "Trop tôt" })).toMatchObject({
    state: "refused",
    decision: { verdict: "refused", comment: "Trop tôt" },
  });
  await expect(approve(desk, decision)).rejects.toThrow(ProposalClosed);
});

test("another company's people find nothing", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const waiting = await propose(desk, {
    companyId: company.id,
    by: maker,
    title: "Loyer",
    asked: transferOf("rent"),
  });
  const { id: stranger } = await makeCompany(db.database);
  await enrol(db.database, stranger, [checker]);

  await expect(approve(desk, decisionOn(stranger, waiting))).rejects.toThrow(ProposalNotFound);
});

test("a frozen company's people ask for nothing and let nothing go", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const request = { companyId: company.id, by: maker, title: "Loyer" };
  const waiting = await propose(desk, { ...request, asked: transferOf("rent") });
  await db.database.transaction((tx) => setFrozen(tx, company.id, true));

  await expect(approve(desk, decisionOn(company.id, waiting))).rejects.toThrow(CompanyFrozen);
  await expect(propose(desk, { ...request, asked: transferOf("more") })).rejects.toThrow(
    CompanyFrozen,
  );
});

describe("one person alone", () => {
  test("pays out nothing, unless the operator has agreed to a limit", async ({ db, company }) => {
    const desk = await deskWith(db.database, company.id, maker, checker);
    const request = { companyId: company.id, by: maker, title: "Loyer" };
    await setAloneMax(db.database, company.id, 12_000, operator());

    const one = await propose(desk, { ...request, asked: transferOf("one") });
    expect(one).toMatchObject({ state: "carried_out", needsApproval: false, decision: null });
    expect(await propose(desk, { ...request, asked: transferOf("big", 12_001) })).toMatchObject({
      state: "waiting",
    });
    // The limit itself is within it: what is exactly left, and all of it by somebody else.
    expect(await propose(desk, { ...request, asked: transferOf("left", 7_000) })).toMatchObject({
      state: "carried_out",
    });
    expect(await propose(desk, { ...request, asked: transferOf("more") })).toMatchObject({
      state: "waiting",
    });
    expect(
      await propose(desk, {
        ...request,
        by: await member(db.database, company.id),
        asked: transferOf("all", 12_000),
      }),
    ).toMatchObject({ state: "carried_out" });
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("keeps to it over a day, however it is divided, on two nodes at once", async ({
    db,
    company,
  }) => {
    await enrol(db.database, company.id, [maker]);
    const [here, there] = [deskOf(db.database), deskOf(db.database.fork())];
    await setAloneMax(db.database, company.id, 12_000, operator());
    const asked = Array.from({ length: 10 }, async (_, index) =>
      propose(index % 2 === 0 ? here : there, {
        companyId: company.id,
        by: maker,
        title: "Part",
        asked: transferOf(`part-${index}`),
      }),
    );
    const states = (await Promise.all(asked)).map(({ state }) => state);

    expect(states.filter((state) => state === "carried_out")).toHaveLength(2);
    expect(states.filter((state) => state === "waiting")).toHaveLength(8);
    expect(await sent(db.database)).toBe(2);
    expect(
      await propose(here, {
        companyId: company.id,
        by: await member(db.database, company.id),
        title: "Autre",
        asked: transferOf("other"),
      }),
    ).toMatchObject({ state: "carried_out" });
    await there.database.close();
  });
});

test("a form that is sent twice asks once; a reference that is used is refused at once", async ({
  db,
  company,
}) => {
  const desk = await deskWith(db.database, company.id, maker, checker);
  const formId = "01890000-0000-7000-8000-00000000f0f0";
  const request = { companyId: company.id, by: maker, title: "Loyer", formId };
  const asked = Array.from({ length: 5 }, () =>
    propose(desk, { ...request, asked: transferOf("rent") }),
  );
  const ids = (await Promise.all(asked)).map(({ id }) => id);

  expect(new Set(ids).size).toBe(1);
  await approve(
    desk,
    decisionOn(company.id, await propose(desk, { ...request, asked: transferOf("rent") })),
  );
  await expect(
    propose(desk, { ...request, formId: maker.personId, asked: transferOf("rent") }),
  ).rejects.toThrow(DuplicateReference);
});

test("twenty approvals by as many people on two nodes: one decides, and it is paid once", async ({
  db,
  company,
  service,
}) => {
  expect(service.url).not.toBe("");
  const checkers = Array.from({ length: 20 }, () => somebody());
  await enrol(db.database, company.id, [maker, ...checkers]);
  const [here, there] = [deskOf(db.database), deskOf(db.database.fork())];
  const waiting = await propose(here, {
    companyId: company.id,
    by: maker,
    title: "Paie",
    asked: payrollOf("june", 40),
  });
  const results = await Promise.allSettled(
    checkers.map((one, index) =>
      approve(index % 2 === 0 ? here : there, decisionOn(company.id, waiting, one)),
    ),
  );

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(ProposalClosed);
  await expect
    .poll(async () => (await getProposal(db.database, company.id, waiting.id)).state)
    .toBe("carried_out");
  expect(await sent(db.database)).toBe(40);
  await untilSettled(db.database);
  expect(await auditDifferences(db.database)).toEqual([]);
  await there.database.close();
});
