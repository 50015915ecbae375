import { expect } from "vitest";
import { type SignedIn, signIn, signInOperator } from "../../test/console.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { findSession } from "../staff/sessions.ts";
import { operator } from "../trail/actor.ts";
import { changeRole, removeByOperator, removeMember } from "./members.ts";

const isSignedIn = async ({ database }: TestDatabase, { sessionToken }: SignedIn) =>
  (await findSession(database, sessionToken)) !== undefined;
const actorOf = ({ personId }: SignedIn) => ({ personId, address: "192.0.2.7", via: "a test" });

test("whoever is removed, or gets another role, is signed out everywhere; others go on", async ({
  db,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const [gone, changed, same, other] = [
    await signIn(db, company.id, "reader"),
    await signIn(db, company.id, "preparer"),
    await signIn(db, company.id, "preparer"),
    await signIn(db, company.id, "reader"),
  ];
  const again = await signIn(db, company.id, "reader", gone.email);
  const by = actorOf(owner);

  await removeMember(db.database, company.id, gone.personId, by);
  const to = (personId: string, role: "reader" | "preparer") =>
    changeRole(db.database, new Date(), { companyId: company.id, personId, role }, by);
  await to(changed.personId, "reader");
  await to(same.personId, "preparer");

  for (const who of [gone, again, changed]) expect(await isSignedIn(db, who)).toBe(false);
  for (const who of [owner, same, other]) expect(await isSignedIn(db, who)).toBe(true);
});

test("whomever the operator removes is signed out everywhere, operators too", async ({
  db,
  company,
}) => {
  const member = await signIn(db, company.id, "owner");
  const colleague = await signInOperator(db);
  const other = await signIn(db, company.id, "reader");

  await removeByOperator(db.database, member.email, company.id, operator("a test"));
  await removeByOperator(db.database, colleague.email, undefined, operator("a test"));

  for (const who of [member, colleague]) expect(await isSignedIn(db, who)).toBe(false);
  expect(await isSignedIn(db, other)).toBe(true);
});
