import { expect } from "vitest";
import { deskOf, member, payrollOf, transferOf, trusted } from "../../test/desk.ts";
import { auditDifferences, test, untilSettled } from "../../test/fixtures.ts";
import { reviewed, sendByKey } from "../../test/held.ts";
import { findSpoilt } from "../../test/spoil.ts";
import { operator } from "../trail/actor.ts";
import { decisionChecks } from "./audit-decisions.ts";
import { carryOut } from "./carry-out.ts";
import { approve, refuse } from "./decide.ts";
import { approveHeld, refuseHeld } from "./decide-held.ts";
import { propose } from "./propose.ts";
import { setKeysAloneMax } from "./rules.ts";

const someoneElse = "01a1e9c7-0000-7000-8000-000000000001";
const asMaker = `update proposals set made_by = '${someoneElse}', hands = array['${someoneElse}'::uuid]`;

/** By the check that has to see it: what somebody with all rights over the database could do. */
const forgeries: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "each payment that people asked for is what the trail says, and no other is there": [
    [asMaker, `update approvals set hands = array['${someoneElse}'::uuid]`],
    ["update proposals set needs_approval = false, alone_left = 99999999"],
    ["update proposals set alone_left = alone_left + 1"],
    [
      "update proposals set content = content || ' '::bytea, content_hash = sha256(content || ' '::bytea)",
      "update approvals a set content_hash = p.content_hash from proposals p where p.id = a.proposal_id",
    ],
    ["update proposals set hands = hands || gen_random_uuid()"],
    ["delete from proposals"],
    ["delete from company_trail where action = 'proposal.made'"],
    [
      `insert into proposals select company_id, gen_random_uuid(), kind, title, content, content_hash, made_by, hands, row_count,
        total_amount, total_fee, price, alone_left, needs_approval, file_hash, gen_random_uuid() from proposals limit 1`,
    ],
  ],
  "each decision about a payment is what the trail says: who, what, how and when": [
    [`update approvals set decided_by = '${someoneElse}'`],
    ["update approvals set decided_at = decided_at + interval '1 second'"],
    ["update approvals set comment = 'else'"],
    [
      "update approvals set verdict = 'approved' where verdict = 'refused'",
      "update proposal_states set state = 'approved', verdict = 'approved' where state = 'refused'",
    ],
    ["delete from approvals"],
    ["delete from company_trail where action = 'proposal.approved'"],
    ["update company_trail set person_id = gen_random_uuid() where action = 'proposal.refused'"],
  ],
  "each decision about held transfers is what the trail says: who, what and how": [
    [`update held_decisions set decided_by = '${someoneElse}'`],
    ["update held_decisions set comment = 'else'"],
    [`update held_decisions set hands = array['${someoneElse}'::uuid]`],
    ["update held_decisions set verdict = 'approved' where verdict = 'refused'"],
    ["update held_decisions set verdict = 'refused', comment = 'non' where verdict = 'approved'"],
    ["delete from held_decisions"],
    ["delete from company_trail where action in ('held.approved', 'held.refused')"],
  ],
};

test("who asked for a payment and who decided about it cannot be changed without the audit seeing it", async ({
  db,
  company,
  service,
}) => {
  const { database } = db;
  const desk = deskOf(database);
  const [maker, checker] = [await member(database, company.id), await member(database, company.id)];
  const long = `${"a".repeat(299)}😀 and more that the trail does not keep`;
  for (const [asked, verdict] of [
    [transferOf("rent"), "approve"],
    [payrollOf("june", 3), "refuse"],
    [payrollOf("july", 2), "wait"],
  ] as const) {
    const request = { companyId: company.id, by: maker, title: "Paiement", asked };
    const { id, hash } = await propose(desk, request);
    const decision = {
      companyId: company.id,
      proposalId: id,
      reviewedHash: hash,
      by: checker,
      checkPerson: trusted,
    };
    if (verdict === "approve") {
      await approve(desk, decision);
      await carryOut(desk, company.id, id);
    }
    if (verdict === "refuse") await refuse(desk, { ...decision, comment: long });
  }
  await setKeysAloneMax(database, company.id, 0, operator("a test"));
  await sendByKey(service, company, "approved");
  await approveHeld(desk, await reviewed(database, company.id));
  await sendByKey(service, company, "refused");
  await refuseHeld(desk, { ...(await reviewed(database, company.id)), comment: "non" });
  await untilSettled(database);
  expect(await auditDifferences(database)).toEqual([]);
  expect(Object.keys(forgeries)).toEqual(decisionChecks.map(({ name }) => name));

  for (const [name, spoils] of Object.entries(forgeries))
    for (const texts of spoils)
      expect(await findSpoilt(database, ...texts), texts.join("; ")).toContain(name);
}, 120_000);
