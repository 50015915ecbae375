import { describe, expect } from "vitest";
import { accept, joinBy, joinByOperator, joinConfirmed, signedIn } from "../../test/access.ts";
import { enrol, somebody } from "../../test/desk.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { aloneMaxOf, keysAloneMaxOf, setAloneMax } from "../approvals/rules.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { membershipsOf } from "../staff/people.ts";
import { companyRoles } from "../staff/roles.ts";
import { findSession } from "../staff/sessions.ts";
import { type ConsolePerson, operator } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { confirmRequest, refuseRequest, withdrawRequest } from "./decide-requests.ts";
import {
  OwnRequest,
  RequestClosed,
  RequestNotFound,
  RequestOfIntroducer,
  WaitsAlready,
} from "./errors.ts";
import { invite } from "./links.ts";
import { changeRole, changeRoleByOperator, removeMember } from "./members.ts";
import { getRequest, openRequestsOf } from "./requests.ts";
import { askForRule, setRuleByOperator } from "./rules.ts";

const by = operator("a test");

const now = () => new Date();

const [awa, binta, self] = ["awa@shop.example", "binta@shop.example", "awa.too@mail.example"];

async function roleOf(database: Database, companyId: string, { personId }: ConsolePerson) {
  const found = await membershipsOf(database, personId);
  return found.find((membership) => membership.companyId === companyId)?.role;
}

describe("what takes two", () => {
  test.for(companyRoles)("an invitation as %s", async (role, { db, company }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const { who, requestId } = await joinBy(database, owner, company.id, binta, role);
    if (role === "reader") {
      expect([requestId, await roleOf(database, company.id, who)]).toEqual([undefined, role]);
      return;
    }
    const session = await signedIn(database, who, company.id);
    expect(await findSession(database, session.sessionToken)).toMatchObject({ role: null });
    expect(await roleOf(database, company.id, who)).toBeUndefined();
    const decision = { requestId: requestId ?? "", companyId: company.id };
    for (const one of [owner, who])
      await expect(confirmRequest(database, decision, one)).rejects.toThrow(
        one === owner ? OwnRequest : NotPermitted,
      );
    const stranger = somebody();
    const other = await makeCompany(database, { name: "Other" });
    await enrol(database, other.id, [stranger]);
    await expect(
      confirmRequest(database, { ...decision, companyId: other.id }, stranger),
    ).rejects.toThrow(RequestNotFound);
    await expect(confirmRequest(database, decision, stranger)).rejects.toThrow(NotPermitted);

    const second = await joinByOperator(database, company.id, "second@shop.example");
    await confirmRequest(database, decision, second);

    expect(await findSession(database, session.sessionToken)).toMatchObject({ role });
    await expect(confirmRequest(database, decision, second)).rejects.toThrow(RequestClosed);
  });

  test("a role that may more, while the old one holds; one that may less holds at once", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const second = await joinByOperator(database, company.id, "second@shop.example");
    const who = await joinByOperator(database, company.id, binta, "preparer");
    const to = (role: (typeof companyRoles)[number]) => ({
      companyId: company.id,
      personId: who.personId,
      role,
    });
    const raised = await changeRole(database, now(), to("approver"), owner);
    expect(await roleOf(database, company.id, who)).toBe("preparer");
    await expect(changeRole(database, now(), to("owner"), second)).rejects.toThrow(WaitsAlready);
    if (typeof raised === "string") throw new Error("it waits");
    await confirmRequest(database, { ...raised, companyId: company.id }, second);
    expect(await roleOf(database, company.id, who)).toBe("approver");

    expect(await changeRole(database, now(), to("reader"), owner)).toBe("done");
    expect(await roleOf(database, company.id, who)).toBe("reader");
    // What was asked for before it was lowered is over.
    const again = await changeRole(database, now(), to("owner"), owner);
    if (typeof again === "string") throw new Error("it waits");
    await removeMember(database, company.id, who.personId, second);
    await expect(
      confirmRequest(database, { ...again, companyId: company.id }, second),
    ).rejects.toThrow(RequestClosed);
  });

  test("a rule that lets more go out; one that lets less go out holds at once", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const second = await joinByOperator(database, company.id, "second@shop.example");
    const ask = (rule: "alone_max" | "keys_alone_max", amount: number | null) =>
      askForRule(database, now(), company.id, { rule, amount }, owner);
    const more = await ask("alone_max", 50_000);
    expect(await aloneMaxOf(database, company.id)).toBe(0);
    if (more === "done") throw new Error("it waits");
    await expect(
      confirmRequest(database, { ...more, companyId: company.id }, owner),
    ).rejects.toThrow(OwnRequest);
    await confirmRequest(database, { ...more, companyId: company.id }, second);
    expect(await aloneMaxOf(database, company.id)).toBe(50_000);
    expect(await ask("alone_max", 10_000)).toBe("done");
    expect(await aloneMaxOf(database, company.id)).toBe(10_000);

    // Keys pay without a limit at first: any limit is less, and none is more.
    expect(await ask("keys_alone_max", 20_000)).toBe("done");
    const off = await ask("keys_alone_max", null);
    if (off === "done") throw new Error("it waits");
    expect(await keysAloneMaxOf(database, company.id)).toBe(20_000);
    // What the operator says meanwhile ends what was asked for before.
    await setRuleByOperator(database, company.id, { rule: "keys_alone_max", amount: 5_000 }, by);
    await expect(
      confirmRequest(database, { ...off, companyId: company.id }, second),
    ).rejects.toThrow(RequestClosed);
    expect(await keysAloneMaxOf(database, company.id)).toBe(5_000);
  });

  test("of two that change a rule at once the trail says what holds", async ({ db, company }) => {
    const { database } = db;
    const there = database.fork();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        setAloneMax(index % 2 === 0 ? database : there, company.id, (index + 1) * 1_000, by),
      ),
    );
    const entries = await database.query<{ before: string; after: string }>(sql`
      select changes::jsonb #>> '{aloneMax,from}' as before, changes::jsonb #>> '{aloneMax,to}' as after
      from company_trail where company_id = ${company.id} and action = 'company.changed' order by id`);

    expect(entries.map(({ before }) => Number(before))).toEqual([
      0,
      ...entries.slice(0, -1).map(({ after }) => Number(after)),
    ]);
    expect(await aloneMaxOf(database, company.id)).toBe(Number(entries.at(-1)?.after));
    await there.close();
  });
});

describe("what nobody could confirm any more is not listed as open", () => {
  test.for(["reader", "owner"] as const)(
    "somebody who waits as approver accepts a newer invitation as %s",
    async (role, { db, company }) => {
      const { database } = db;
      const owner = await joinByOperator(database, company.id, awa);
      const { who, requestId = "" } = await joinBy(database, owner, company.id, binta, "approver");
      const anew = { email: binta, companyId: company.id, role };
      const { token } = await invite(database, now(), anew, owner);
      const accepted = await accept(database, token, await signedIn(database, who, company.id));

      expect(await getRequest(database, requestId, company.id)).toMatchObject({
        state: "withdrawn",
        reason: "invited_anew",
      });
      const open = await openRequestsOf(database, company.id);
      if (role === "reader") {
        expect([open, await roleOf(database, company.id, who)]).toEqual([[], "reader"]);
        return;
      }
      expect(open).toMatchObject([{ id: accepted?.requestId, toRole: "owner" }]);
      await confirmRequest(database, { requestId: open[0]?.id ?? "", companyId: undefined }, by);
      expect(await roleOf(database, company.id, who)).toBe("owner");
    },
  );

  test("the operator invites whom an owner's invitation lets wait", async ({ db, company }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    await joinBy(database, owner, company.id, binta, "approver");
    const who = await joinByOperator(database, company.id, binta, "developer");

    expect(await openRequestsOf(database, undefined)).toEqual([]);
    expect(await roleOf(database, company.id, who)).toBe("developer");
  });

  test("the operator gives another role than the one that is asked for", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const { personId } = await joinByOperator(database, company.id, binta, "reader");
    await changeRole(database, now(), { companyId: company.id, personId, role: "owner" }, owner);
    await changeRoleByOperator(database, binta, company.id, "preparer", by);

    expect(await openRequestsOf(database, company.id)).toEqual([]);
  });
});

describe("whoever confirms", () => {
  test("did not come in through whoever asks, or through whom it concerns; they may refuse", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const second = await joinConfirmed(database, owner, company.id, self, "owner");
    const { requestId = "" } = await joinBy(database, owner, company.id, binta, "owner");
    const decision = { requestId, companyId: company.id };

    await expect(confirmRequest(database, decision, second)).rejects.toThrow(RequestOfIntroducer);
    await expect(refuseRequest(database, decision, owner)).rejects.toThrow(OwnRequest);
    await refuseRequest(database, decision, second);
    expect(await getRequest(database, requestId, company.id)).toMatchObject({ state: "refused" });
    // The database would not take it either.
    await expect(
      database.query(sql`
        insert into access_requests (
          id, company_id, kind, person_id, to_role, requested_by, expires_at, state, decided_by, introducers, decided_at)
        values (
          gen_random_uuid(), ${company.id}, 'membership', ${owner.personId}, 'owner', ${second.personId}, now(), 'confirmed',
          ${second.personId}, '{}', now()) returning 1`),
    ).rejects.toThrow("access_requests_confirmed_by_another");
  });

  test("is not the same person as an operator of the console", async ({ db, company }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    await database.query(sql`update people set is_operator = true where email = ${awa}`);
    const { requestId = "" } = await joinBy(database, owner, company.id, binta, "owner");
    const asOperator = { ...owner, isOperator: true } as const;

    await expect(
      confirmRequest(database, { requestId, companyId: undefined }, asOperator),
    ).rejects.toThrow(OwnRequest);
    await withdrawRequest(database, { requestId, companyId: company.id }, owner);
    expect(await openRequestsOf(database, undefined)).toEqual([]);
  });

  test("comes within seven days", async ({ db, company }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    const { who, requestId = "" } = await joinBy(database, owner, company.id, binta, "owner");
    await database.transaction(async (tx) => {
      await passTriggers(tx);
      await tx.query(sql`
        update access_requests set expires_at = now() - interval '1 second' where id = ${requestId}`);
    });

    await expect(confirmRequest(database, { requestId, companyId: undefined }, by)).rejects.toThrow(
      RequestClosed,
    );
    expect(await roleOf(database, company.id, who)).toBeUndefined();
    expect(await openRequestsOf(database, company.id)).toEqual([]);
  });

  test("of any number on two nodes one does, and a removal meanwhile leaves no member behind", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const there = database.fork();
    const first = await joinByOperator(database, company.id, "first@shop.example");
    for (let round = 0; round < 6; round += 1) {
      const asker = await joinByOperator(database, company.id, `asker-${round}@shop.example`);
      const email = `new-${round}@shop.example`;
      const { who, requestId = "" } = await joinBy(database, asker, company.id, email, "approver");
      const decision = { requestId, companyId: company.id };
      const [confirmed, again, removed] = await Promise.allSettled([
        confirmRequest(there, decision, first),
        confirmRequest(database, decision, first),
        removeMember(database, company.id, asker.personId, first),
      ]);

      expect(removed).toMatchObject({ status: "fulfilled", value: undefined });
      const done = [confirmed, again].filter(({ status }) => status === "fulfilled");
      expect(done.length).toBeLessThanOrEqual(1);
      expect(await roleOf(database, company.id, who)).toBe(
        done.length === 1 ? "approver" : undefined,
      );
    }
    await there.close();
  });
});
