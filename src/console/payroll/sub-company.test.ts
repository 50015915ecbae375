import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { sendFile } from "../../../test/console-files.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  test,
  untilSettled,
} from "../../../test/fixtures.ts";
import { hiddenFieldsOf } from "../../../test/hidden-fields.ts";
import { textOf } from "../../../test/pay-page.ts";
import { makeSubCompany } from "../../../test/statements.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";

const file = "telephone;montant;reference;motif\n+221771000000;5000;p-1;Salaire\n";

test("a payroll is paid in the name that was chosen, seen by whoever approves it, and never in a stranger’s", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "221771000000");
  const awa = await makeSubCompany(service, company, "Boutique Awa");
  const theirs = await makeSubCompany(service, await makeCompany(db.database), "Ailleurs");
  const who = await signIn(db, company.id, "preparer");
  const maker = new ConsoleClient(service, who);
  const { location: path } = await sendFile(service, who, "/console/payroll/upload", {
    name: "juin.csv",
    text: file,
  });
  const choose = async (subCompany: string) => {
    const { version = "" } = hiddenFieldsOf((await maker.get(path)).text);
    return maker.post(`${path}/options`, { version, subCompany });
  };
  await choose(theirs);
  const refused = await maker.get(path);
  expect(refused.text).toContain('class="notice bad"');
  expect(refused.text).not.toContain("selected");
  await choose(awa);
  const review = await maker.get(path);
  expect(review.text).toContain(`<option value="${awa}" selected>Boutique Awa</option>`);

  const { version = "", price = "", form = "" } = hiddenFieldsOf(review.text);
  const run = await maker.post(`${path}/submit`, { version, price, form });
  const approval = run.location.replace("/payroll/", "/approvals/");
  const boss = await signIn(db, company.id, "owner");
  const checker = new ConsoleClient(service, boss);
  const code = await giveAuthenticator(db.database, boss);
  const page = await checker.get(approval);
  expect(textOf(page.text)).toContain("Au nom de Boutique Awa");
  const { hash = "" } = hiddenFieldsOf(page.text);
  await checker.post(`${approval}/approve`, { hash, code: await code() });
  await expect
    .poll(async () => (await maker.get(run.location)).text, { timeout: 30_000 })
    .toContain("1 / 1");
  await untilSettled(db.database);
  const sent = await db.database.query<{ id: string }>(sql`
    select sub_company_id as id from transfers`);
  expect(sent.map(({ id }) => toPublicId("subco", id))).toEqual([awa]);
  expect(await auditDifferences(db.database)).toEqual([]);
});
