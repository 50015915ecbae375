import { describe, expect } from "vitest";
import { joinBy, joinByOperator, joinConfirmed } from "../../test/access.ts";
import { deskOf, transferOf, trusted } from "../../test/desk.ts";
import { auditDifferences, box, test } from "../../test/fixtures.ts";
import { reviewed, sendByKey } from "../../test/held.ts";
import { approve, refuse } from "../approvals/decide.ts";
import { approveHeld } from "../approvals/decide-held.ts";
import { OfIntroducer } from "../approvals/errors.ts";
import { getProposal } from "../approvals/find-proposals.ts";
import type { Proposal } from "../approvals/proposal.ts";
import { propose } from "../approvals/propose.ts";
import { setKeysAloneMax } from "../approvals/rules.ts";
import { createKey } from "../companies/credentials.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { type ConsolePerson, operator } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { confirmRequest } from "./decide-requests.ts";
import { changeRole, removeMember } from "./members.ts";

const by = operator("a test");

const now = () => new Date();

const [awa, binta, self] = ["awa@shop.example", "binta@shop.example", "awa.too@mail.example"];

function decisionOn(companyId: string, { id, hash }: Proposal, who: ConsolePerson) {
  return { companyId, proposalId: id, by: who, reviewedHash: hash, checkPerson: trusted };
}

describe("one owner is one person", () => {
  test("a second self that the owner invites approves nothing, neither waiting nor confirmed", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const desk = deskOf(database);
    const owner = await joinByOperator(database, company.id, awa);
    const asked = transferOf("rent", 400_000);
    const waiting = await propose(desk, {
      companyId: company.id,
      by: owner,
      title: "Loyer",
      asked,
    });
    const { who: second, requestId = "" } = await joinBy(
      database,
      owner,
      company.id,
      self,
      "owner",
    );
    const decision = decisionOn(company.id, waiting, second);

    await expect(approve(desk, decision)).rejects.toThrow(NotPermitted);
    await confirmRequest(database, { requestId, companyId: undefined }, by);
    await expect(approve(desk, decision)).rejects.toThrow(OfIntroducer);
    await expect(refuse(desk, { ...decision, comment: "non" })).rejects.toThrow(OfIntroducer);

    expect(await getProposal(database, company.id, waiting.id)).toMatchObject({ state: "waiting" });
    // Somebody whom the operator let in is another person.
    const other = await joinByOperator(database, company.id, binta, "approver");
    expect(await approve(desk, decisionOn(company.id, waiting, other))).toMatchObject({
      state: "carried_out",
    });
    expect(await auditDifferences(database)).toEqual([]);
  });

  test("nor what the owner's keys send and a rule holds; the database says so too", async ({
    db,
    company,
    service,
  }) => {
    const { database } = db;
    const desk = deskOf(database);
    const owner = await joinByOperator(database, company.id, awa);
    const second = await joinConfirmed(database, owner, company.id, self, "approver");
    const signals = new Signals(db.url, database);
    const request = { companyId: company.id, name: "shop" };
    await createKey(database, signals, box, now(), request, owner, 9);
    await setKeysAloneMax(database, company.id, 0, by);
    await sendByKey(service, company, "rent");

    const decision = await reviewed(database, company.id, second);
    await expect(approveHeld(desk, decision)).rejects.toThrow(OfIntroducer);
    await expect(
      database.query(sql`
        insert into held_decisions (
          company_id, id, verdict, content_hash, row_count, total_amount, total_fee, hands, introducers, decided_by)
        values (
          ${company.id}, gen_random_uuid(), 'approved', sha256('x'), 1, 1, 0, array[${owner.personId}]::uuid[],
          array[${owner.personId}]::uuid[], ${second.personId}) returning 1`),
    ).rejects.toThrow("held_decisions_not_of_introducers");
    const other = await joinByOperator(database, company.id, binta, "approver");
    await approveHeld(desk, { ...decision, by: other });
  });

  test("the database refuses an approval by somebody whom a preparer let in", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const second = await joinConfirmed(database, owner, company.id, self, "approver");
    const waiting = await propose(deskOf(database), {
      companyId: company.id,
      by: owner,
      title: "Loyer",
      asked: transferOf("rent"),
    });

    await expect(
      database.query(sql`
        insert into approvals (company_id, proposal_id, verdict, content_hash, hands, introducers, decided_by)
        select company_id, id, 'approved', content_hash, hands, hands, ${second.personId}::uuid
        from proposals where company_id = ${company.id} and id = ${waiting.id} returning 1`),
    ).rejects.toThrow("approvals_not_of_introducers");
  });

  test("those who let in whoever lets somebody in count too, also when one between has left", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const desk = deskOf(database);
    const owner = await joinByOperator(database, company.id, awa);
    const between = await joinConfirmed(database, owner, company.id, self, "owner");
    const third = await joinConfirmed(
      database,
      between,
      company.id,
      "third@mail.example",
      "approver",
    );
    const request = { companyId: company.id, by: owner, title: "Loyer" };
    const waiting = await propose(desk, { ...request, asked: transferOf("rent") });
    const decision = decisionOn(company.id, waiting, third);

    await expect(approve(desk, decision)).rejects.toThrow(OfIntroducer);
    await removeMember(database, company.id, between.personId, owner);
    await expect(approve(desk, decision)).rejects.toThrow(OfIntroducer);
  });

  test("whoever raises a role counts as having let the person in", async ({ db, company }) => {
    const { database } = db;
    const desk = deskOf(database);
    const owner = await joinByOperator(database, company.id, awa);
    const reader = await joinByOperator(database, company.id, self, "reader");
    const change = { companyId: company.id, personId: reader.personId, role: "approver" } as const;
    const changed = await changeRole(database, now(), change, owner);
    if (typeof changed === "string") throw new Error("it waits");
    const { requestId } = changed;
    await confirmRequest(database, { requestId, companyId: undefined }, by);
    const request = { companyId: company.id, by: owner, title: "Loyer" };
    const waiting = await propose(desk, { ...request, asked: transferOf("rent") });

    await expect(approve(desk, decisionOn(company.id, waiting, reader))).rejects.toThrow(
      OfIntroducer,
    );
  });
});

test("whoever is made less at the moment of approving has approved before it, or not at all", async ({
  db,
  company,
}) => {
  const { database } = db;
  const there = database.fork();
  const owner = await joinByOperator(database, company.id, awa);
  for (let round = 0; round < 8; round += 1) {
    const approver = await joinByOperator(
      database,
      company.id,
      `approver-${round}@shop.example`,
      "approver",
    );
    const waiting = await propose(deskOf(database), {
      companyId: company.id,
      by: owner,
      title: "Loyer",
      asked: transferOf(`rent-${round}`),
    });
    let hasLeft = false;
    const decision = decisionOn(company.id, waiting, approver);
    const [approved] = await Promise.allSettled([
      approve(deskOf(there), {
        ...decision,
        checkPerson: async () => {
          expect(hasLeft).toBe(false);
        },
      }),
      changeRole(
        database,
        now(),
        { companyId: company.id, personId: approver.personId, role: "reader" },
        owner,
      ).finally(() => {
        hasLeft = true;
      }),
    ]);

    const { state } = await getProposal(database, company.id, waiting.id);
    expect(state).toBe(approved.status === "fulfilled" ? "carried_out" : "waiting");
    if (approved.status === "rejected") expect(approved.reason).toBeInstanceOf(NotPermitted);
  }
  await there.close();
});
