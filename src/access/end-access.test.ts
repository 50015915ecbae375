import { describe, expect } from "vitest";
import {
  accept,
  actionsOf,
  joinBy,
  joinByOperator,
  joinConfirmed,
  signedIn,
} from "../../test/access.ts";
import { deskOf, transferOf } from "../../test/desk.ts";
import { test } from "../../test/fixtures.ts";
import { getProposal } from "../approvals/find-proposals.ts";
import { propose } from "../approvals/propose.ts";
import { sql } from "../database/sql.ts";
import { membershipsOf } from "../staff/people.ts";
import { findSession } from "../staff/sessions.ts";
import { operator } from "../trail/actor.ts";
import { findLink, invite, resetPerson } from "./links.ts";
import { changeRole, removeByOperator, removeMember } from "./members.ts";
import { openRequestsOf } from "./requests.ts";

const by = operator("a test");

const now = () => new Date();

const awa = "awa@shop.example";

const victim = "victim@bank.example";

describe("whoever is removed, made less or reset", () => {
  test("does not come back by an invitation made before, nor do those whom they invited", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const first = await joinByOperator(database, company.id, "first@shop.example");
    const second = await joinByOperator(database, company.id, awa);
    const request = { companyId: company.id, role: "reader" } as const;
    const made = await invite(database, now(), { ...request, email: victim }, second);
    // An invitation to the own address is made by somebody else, or was made before it was refused.
    await database.query(sql`delete from memberships where person_id = ${second.personId}`);
    const own = await invite(database, now(), { ...request, email: awa }, first);
    await database.query(sql`
      insert into memberships (company_id, person_id, role)
      values (${company.id}, ${second.personId}, 'owner') returning 1`);

    await removeMember(database, company.id, second.personId, first);

    const session = await signedIn(database, second);
    expect(await accept(database, own.token, session)).toBeUndefined();
    expect(await accept(database, made.token)).toBeUndefined();
    expect(await membershipsOf(database, second.personId)).toEqual([]);
  });

  test.for(["removed", "removed by the operator", "made less", "reset"] as const)(
    "leaves nothing under way: %s",
    async (way, { db, company }) => {
      const { database } = db;
      const desk = deskOf(database);
      const first = await joinByOperator(database, company.id, "first@shop.example");
      const gone = await joinByOperator(database, company.id, awa);
      const session = await signedIn(database, gone);
      const { who: newcomer } = await joinBy(
        database,
        gone,
        company.id,
        "new@shop.example",
        "owner",
      );
      const link = await invite(
        database,
        now(),
        { email: victim, companyId: company.id, role: "reader" },
        gone,
      );
      const paid = { companyId: company.id, by: gone, title: "Loyer" };
      const waiting = await propose(desk, { ...paid, asked: transferOf("rent") });
      const others = await propose(desk, { ...paid, by: first, asked: transferOf("water") });

      const { personId } = gone;
      const change = { companyId: company.id, personId, role: "reader" } as const;
      if (way === "removed") await removeMember(database, company.id, personId, first);
      if (way === "removed by the operator") await removeByOperator(database, awa, company.id, by);
      if (way === "made less") await changeRole(database, now(), change, first);
      if (way === "reset") await resetPerson(database, now(), awa, by);

      expect(await findSession(database, session.sessionToken)).toBeUndefined();
      expect(await findLink(database, link.token)).toBeUndefined();
      expect(await openRequestsOf(database, company.id)).toEqual([]);
      expect(await membershipsOf(database, newcomer.personId)).toEqual([]);
      const reasons = { "made less": "role_changed", reset: "access_reset" } as const;
      const problem = way in reasons ? reasons[way as keyof typeof reasons] : "member_removed";
      expect(await getProposal(database, company.id, waiting.id)).toMatchObject({
        state: "withdrawn",
        problem,
      });
      expect(await getProposal(database, company.id, others.id)).toMatchObject({
        state: "waiting",
      });
      const actions = await actionsOf(database, company.id);
      for (const action of [
        "member.invitation_withdrawn",
        "access.withdrawn",
        "proposal.withdrawn",
      ])
        expect(actions).toContain(action);
    },
  );

  test("asks for nothing more: a payment that was on its way when they left is refused or withdrawn", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const there = database.fork();
    const first = await joinByOperator(database, company.id, "first@shop.example");
    for (let round = 0; round < 8; round += 1) {
      const email = `maker-${round}@shop.example`;
      const maker = await joinByOperator(database, company.id, email, "preparer");
      const asked = transferOf(`rent-${round}`);
      const request = { companyId: company.id, by: maker, title: "Loyer", asked };
      await Promise.allSettled([
        propose(deskOf(there), request),
        removeMember(database, company.id, maker.personId, first),
      ]);

      expect(await membershipsOf(database, maker.personId)).toEqual([]);
      const waiting = await database.query(sql`
        select 1 from proposal_states s join proposals p on p.company_id = s.company_id and p.id = s.proposal_id
        where p.made_by = ${maker.personId} and s.state = 'waiting'`);
      expect(waiting).toEqual([]);
    }
    await there.close();
  });

  test("a role that is taken away and given another way keeps no introduction of before", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const who = await joinConfirmed(database, owner, company.id, victim, "approver");
    const introducedBy = async () =>
      (
        await database.query<{ introduced_by: string[] }>(sql`
          select introduced_by from memberships where person_id = ${who.personId}`)
      )[0]?.introduced_by;
    expect(await introducedBy()).toEqual([owner.personId]);

    await removeMember(database, company.id, who.personId, owner);
    await joinByOperator(database, company.id, victim, "approver");

    expect(await introducedBy()).toEqual([]);
  });
});
