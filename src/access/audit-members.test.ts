import { expect } from "vitest";
import { signIn, signInOperator } from "../../test/console.ts";
import { auditDifferences, test } from "../../test/fixtures.ts";
import { findSpoilt } from "../../test/spoil.ts";
import { operator } from "../trail/actor.ts";
import { memberChecks } from "./audit-members.ts";
import { changeRoleByOperator, removeByOperator } from "./members.ts";

const [members = "", operators = "", factors = ""] = memberChecks.map(({ name }) => name);

/** By the check that has to see it: what somebody with all rights over the database could do. */
const forgeries: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [members]: [
    ["update memberships set role = 'owner' where role = 'reader'"],
    [
      `insert into memberships (company_id, person_id, role)
        select (select company_id from companies limit 1), person_id, 'owner' from people where is_operator limit 1`,
    ],
    ["delete from memberships"],
    ["delete from company_trail where action = 'member.removed'"],
    ["delete from company_trail where action = 'member.role_changed'"],
  ],
  [operators]: [
    ["update people set is_operator = true where email like 'person-%'"],
    ["update people set is_operator = false"],
    ["delete from staff_trail where action = 'person.removed'"],
  ],
  [factors]: [
    ["update people set totp_sealed = null"],
    ["delete from staff_trail where action = 'person.second_factor_set'"],
  ],
};

test("nobody is given a role, the operator's power or another second factor without the audit seeing it", async ({
  db,
  company,
}) => {
  const { database } = db;
  const by = operator("a test");
  await signIn(db, company.id, "owner");
  await signIn(db, company.id, "reader");
  const changed = await signIn(db, company.id, "reader");
  await signIn(db, company.id, "reader", changed.email);
  await changeRoleByOperator(database, changed.email, company.id, "approver", by);
  const removed = await signIn(db, company.id, "developer");
  await removeByOperator(database, removed.email, company.id, by);
  await signInOperator(db);
  const former = await signInOperator(db);
  await removeByOperator(database, former.email, undefined, by);
  expect(await auditDifferences(database)).toEqual([]);

  for (const [name, spoils] of Object.entries(forgeries))
    for (const texts of spoils)
      expect(await findSpoilt(database, ...texts), texts.join("; ")).toContain(name);
}, 120_000);
