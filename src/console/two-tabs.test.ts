import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../test/console.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { joinCompany } from "../staff/people.ts";
import { changeCompany, formTokenOf } from "../staff/sessions.ts";
import { operator } from "../trail/actor.ts";

const hooks = "/console/developers/webhooks";

test("a page of one company does nothing in another, to which its reader has changed in a second tab", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const owner = await signIn(db, company.id, "owner");
  const other = await makeCompany(database, { name: "Other" });
  const person = { id: owner.personId, email: owner.email };
  await database.transaction((tx) =>
    joinCompany(tx, person, { companyId: other.id, role: "owner" }, operator("a test")),
  );
  const fields = { topic: "transactions/completed", url: "https://shop.example/hooks" };
  const first = new ConsoleClient(service, owner);
  await changeCompany(database, owner.sessionToken, other.id);

  const refused = await first.post(hooks, fields);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("une autre société");
  // Nor does one that names no company, as the pages of the operator do.
  expect(
    (await first.post(hooks, { ...fields, token: formTokenOf(owner.sessionToken) })).status,
  ).toBe(403);
  const formToken = formTokenOf(owner.sessionToken, other.id);
  expect((await first.post(hooks, { ...fields, token: formToken })).status).not.toBe(403);
  // Signing out is for all of them.
  expect((await first.post("/console/logout")).status).toBe(303);
});
