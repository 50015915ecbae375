import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { deskOf, member, payrollOf, transferOf, trusted } from "../../test/desk.ts";
import { auditDifferences, test, untilSettled } from "../../test/fixtures.ts";
import { findSpoilt } from "../../test/spoil.ts";
import { operator } from "../trail/actor.ts";
import { approvalChecks } from "./audit-approvals.ts";
import { carryOut } from "./carry-out.ts";
import { approve } from "./decide.ts";
import { type Asked, propose } from "./propose.ts";
import { setAloneMax } from "./rules.ts";

const off = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint}`;

/** By the check that has to see it: what somebody with all rights over the database could do. */
const forgeries: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "what people paid out was approved by another person, or was theirs to pay alone": [
    ["delete from approvals"],
    [
      off("approvals", "approvals_by_another"),
      "update approvals a set decided_by = p.made_by from proposals p where p.company_id = a.company_id and p.id = a.proposal_id",
    ],
    [off("approvals", "approvals_not_of_introducers"), "update approvals set introducers = hands"],
    ["update approvals set verdict = 'refused', comment = 'no'"],
    ["update approvals set content_hash = sha256('something else')"],
    [
      off("proposals", "proposals_hash_of_content"),
      "update proposals set content = content || ' ' where needs_approval",
    ],
  ],
  "nobody paid out alone more than one person may": [
    [
      off("proposals", "proposals_alone_only_below_the_limit"),
      "update proposals set needs_approval = false where needs_approval",
    ],
    [
      off("proposals", "proposals_alone_only_below_the_limit"),
      "update proposals set alone_left = total_amount - 1 where not needs_approval",
    ],
  ],
  "what was sent is what was approved, row by row": [
    ["update transfers set amount = amount + 1 where reference = 'rent'"],
    ["update transfers set msisdn = '221770000000' where reference = 'june-1'"],
    ["update transfers set fee = fee + 1 where reference = 'june-2'"],
    ["update transfers set description = 'else' where reference = 'alone'"],
    ["delete from transfers where reference = 'june-0'"],
    ["update transfers set reference = 'another' where reference = 'june-0'"],
  ],
  "what was given back is what was approved": [
    ["update charge_transactions set amount = amount - 1 where type = 'refund'"],
    ["delete from charge_transactions where type = 'refund'"],
  ],
  "what was carried out is as far as its parts say": [
    ["delete from proposal_parts"],
    ["update proposal_parts set row_count = row_count + 1"],
  ],
  "each company's people pay out alone what was said last": [
    ["update approval_rules set alone_max = 5000001"],
    ["delete from approval_rules"],
    ["delete from company_trail where action = 'company.changed'"],
  ],
};

test("each check of what people paid out finds what it is there for", async ({
  db,
  company,
  service,
}) => {
  const desk = deskOf(db.database);
  const maker = await member(db.database, company.id);
  const charges = new ChargeClient(service, company);
  const chargeId = await charges.paid();
  await setAloneMax(db.database, company.id, 5_000, operator("a test"));
  const ask = (asked: Asked) =>
    propose(desk, { companyId: company.id, by: maker, title: "Paiement", asked });
  expect(await ask(transferOf("alone"))).toMatchObject({ needsApproval: false });
  for (const asked of [
    transferOf("rent"),
    payrollOf("june", 3),
    { kind: "refund", chargeId, amount: 2_000 } as const,
  ]) {
    const { id, hash } = await ask(asked);
    const decision = { companyId: company.id, proposalId: id, reviewedHash: hash };
    await approve(desk, {
      ...decision,
      by: await member(db.database, company.id),
      checkPerson: trusted,
    });
    expect(await carryOut(desk, company.id, id)).toMatchObject({ state: "carried_out" });
  }
  await untilSettled(db.database);
  expect(await auditDifferences(db.database)).toEqual([]);
  expect(Object.keys(forgeries)).toEqual(approvalChecks.map(({ name }) => name));

  for (const [name, spoils] of Object.entries(forgeries))
    for (const texts of spoils)
      expect(await findSpoilt(db.database, ...texts), texts.join("; ")).toContain(name);
}, 120_000);
