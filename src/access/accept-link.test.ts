import { describe, expect } from "vitest";
import { accept, actionsOf, asNew, joinByOperator, signedIn } from "../../test/access.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { holdChange, untilLockAwaited } from "../../test/locks.ts";
import { sql } from "../database/sql.ts";
import { findPersonByEmail, membershipsOf } from "../staff/people.ts";
import { findSession } from "../staff/sessions.ts";
import { operator } from "../trail/actor.ts";
import { MemberAlready, OwnInvitation } from "./errors.ts";
import { findLink, invite, resetPerson } from "./links.ts";

const by = operator("a test");

const now = () => new Date();

const awa = "awa@shop.example";

const victim = "victim@bank.example";

describe("a password", () => {
  test("of somebody who was reset is chosen by the reset link, and by no invitation made before or after", async ({
    db,
    company,
  }) => {
    const { database } = db;
    await joinByOperator(database, company.id, victim);
    const strangers = await makeCompany(database, { name: "Strangers" });
    const stranger = await joinByOperator(database, strangers.id, awa);
    const invitation = { email: victim, companyId: strangers.id, role: "reader" } as const;
    const before = await invite(database, now(), invitation, stranger);

    const reset = await resetPerson(database, now(), victim, by);

    // The invitation is gone, the strangers' trail says why, and a new one does not open the account either.
    expect(await findLink(database, before.token)).toBeUndefined();
    expect(await accept(database, before.token)).toBeUndefined();
    expect(await actionsOf(database, strangers.id)).toContain("member.invitation_withdrawn");
    const after = await invite(database, now(), invitation, stranger);
    expect(await accept(database, after.token)).toBeUndefined();
    expect(await findPersonByEmail(database, victim)).toMatchObject({ hasPassword: false });
    expect(await accept(database, reset.token)).toMatchObject({ person: { email: victim } });
    expect(await findPersonByEmail(database, victim)).toMatchObject({ hasPassword: true });
    // A reset is no invitation: the same link, or a second one, changes nothing of who has a password.
    expect(await accept(database, reset.token)).toBeUndefined();
  });

  test("is chosen by an invitation only where there was no account; operators' links are no exception", async ({
    db,
    company,
  }) => {
    const { database } = db;
    await joinByOperator(database, company.id, victim, "reader");
    const { token } = await invite(
      database,
      now(),
      { email: victim, companyId: null, role: "operator" },
      by,
    );
    const kept = await database.query(sql`select password from people`);

    expect(await accept(database, token)).toBeUndefined();

    expect(await database.query(sql`select password from people`)).toEqual(kept);
    expect(await findPersonByEmail(database, victim)).toMatchObject({ isOperator: false });
    expect(await findLink(database, token)).toBeDefined();
  });

  test("of a reset and an invitation that are used at the same moment, the reset counts", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const there = database.fork();
    const strangers = await makeCompany(database, { name: "Strangers" });
    const stranger = await joinByOperator(database, strangers.id, awa);
    for (let round = 0; round < 8; round += 1) {
      const email = `person-${round}@bank.example`;
      const who = await joinByOperator(database, company.id, email, "reader");
      const session = await signedIn(database, who);
      const request = { email, companyId: strangers.id, role: "reader" } as const;
      const [first] = [await invite(database, now(), request, stranger)];
      const [asMember, asStranger, reset] = await Promise.all([
        accept(there, first.token, session),
        accept(database, first.token, { kind: "new", password: "of a stranger" }),
        resetPerson(there, now(), email, by),
      ]);

      expect(asStranger).toBeUndefined();
      const rows = await database.query<{ password: string | null }>(sql`
        select password from people where email = ${email}`);
      expect(rows).toEqual([{ password: null }]);
      // Whoever was signed in joined before it, or not at all; no session and no other link outlives it.
      const memberships = await membershipsOf(database, who.personId);
      expect(memberships).toHaveLength(asMember === undefined ? 1 : 2);
      expect(await findSession(database, session.sessionToken)).toBeUndefined();
      expect(await findLink(database, reset.token)).toBeDefined();
      const links = await database.query(sql`
        select 1 from staff_links where email = ${email} and used_at is null`);
      expect(links).toHaveLength(1);
    }
    await there.close();
  });
});

describe("an invitation", () => {
  test("is accepted by whoever is signed in to the account, and changes nothing of it", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const who = await joinByOperator(database, company.id, victim, "reader");
    const [session, other] = [await signedIn(database, who), await signedIn(database, who)];
    const strangers = await makeCompany(database, { name: "Strangers" });
    const stranger = await joinByOperator(database, strangers.id, awa);
    const request = { email: victim, companyId: strangers.id, role: "reader" } as const;
    const { token } = await invite(database, now(), request, stranger);
    const before = await database.query(sql`select * from people where email = ${victim}`);

    // Neither the one who invites, nor anybody else who is signed in.
    const colleague = await joinByOperator(
      database,
      company.id,
      "colleague@bank.example",
      "reader",
    );
    for (const thief of [stranger, colleague])
      expect(await accept(database, token, await signedIn(database, thief))).toBeUndefined();
    expect(await accept(database, token, session)).toMatchObject({
      token: session.sessionToken,
      requestId: undefined,
    });

    expect(await database.query(sql`select * from people where email = ${victim}`)).toEqual(before);
    expect(await findSession(database, other.sessionToken)).toMatchObject({ isOpen: true });
    expect(await membershipsOf(database, who.personId)).toHaveLength(2);
  });

  test("a session with the password alone accepts nothing", async ({ db, company }) => {
    const { database } = db;
    const who = await joinByOperator(database, company.id, victim, "reader");
    const session = await signedIn(database, who);
    await database.query(sql`update staff_sessions set is_open = false`);
    const strangers = await makeCompany(database, { name: "Strangers" });
    const request = { email: victim, companyId: strangers.id, role: "reader" } as const;
    const { token } = await invite(database, now(), request, by);

    expect(await accept(database, token, session)).toBeUndefined();
  });

  test("is not for oneself, and not for somebody who is there already", async ({ db, company }) => {
    const { database } = db;
    const owner = await joinByOperator(database, company.id, awa);
    await joinByOperator(database, company.id, victim, "reader");
    const request = { companyId: company.id, role: "owner" } as const;

    await expect(invite(database, now(), { ...request, email: awa }, owner)).rejects.toThrow(
      OwnInvitation,
    );
    for (const inviter of [owner, by])
      await expect(invite(database, now(), { ...request, email: victim }, inviter)).rejects.toThrow(
        MemberAlready,
      );
  });

  test("of somebody who became a member meanwhile changes no role", async ({ db, company }) => {
    const { database } = db;
    const other = await makeCompany(database, { name: "Other" });
    const who = await joinByOperator(database, other.id, victim, "reader");
    const request = { email: victim, companyId: company.id, role: "owner" } as const;
    const { token } = await invite(database, now(), request, by);
    await database.query(sql`
      insert into memberships (company_id, person_id, role)
      values (${company.id}, ${who.personId}, 'reader') returning 1`);

    expect(await accept(database, token, await signedIn(database, who))).toBeUndefined();

    expect(await membershipsOf(database, who.personId)).toContainEqual({
      companyId: company.id,
      role: "reader",
    });
  });

  test("of somebody who is no owner any more is good for nothing, on whichever way that came", async ({
    db,
    company,
  }) => {
    const { database } = db;
    await joinByOperator(database, company.id, "first@shop.example");
    const owner = await joinByOperator(database, company.id, awa);
    const request = { email: victim, companyId: company.id, role: "reader" } as const;
    const { token } = await invite(database, now(), request, owner);
    // As a node would that does not know of links: they are refused all the same.
    await database.query(sql`
      update memberships set role = 'approver' where person_id = ${owner.personId}`);

    expect(await accept(database, token)).toBeUndefined();
    expect(await findPersonByEmail(database, victim)).toBeUndefined();
  });
});

test("a link of a person without an account that is refused leaves no account behind", async ({
  db,
  company,
}) => {
  const { database } = db;
  const { token } = await invite(
    database,
    now(),
    { email: victim, companyId: company.id, role: "reader" },
    by,
  );
  const both = await Promise.all([accept(database, token, asNew), accept(database, token, asNew)]);

  expect(both.filter((one) => one !== undefined)).toHaveLength(1);
  expect(await database.query(sql`select 1 from people`)).toHaveLength(1);
});

test("of two invitations to the same place at the same moment one is good", async ({
  db,
  company,
}) => {
  const { database } = db;
  const invitation = { email: victim, companyId: company.id, role: "reader" } as const;
  // Neither sees the other's link: both have ended the earlier ones when they stop here.
  const release = await holdChange(db, "lock table company_trail in exclusive mode");
  const both = Promise.all([1, 2].map(() => invite(database, now(), invitation, by)));
  await untilLockAwaited(database, 2);
  await release();

  const links = await Promise.all((await both).map(({ token }) => findLink(database, token)));
  expect(links.filter((link) => link !== undefined)).toHaveLength(1);
});
