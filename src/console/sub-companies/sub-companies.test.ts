import { expect } from "vitest";
import { ChargeClient } from "../../../test/charges.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, makeCustomer, test, untilSettled } from "../../../test/fixtures.ts";
import { keepLogo } from "../../../test/logo-host.ts";
import { textOf } from "../../../test/pay-page.ts";
import { pictures } from "../../../test/pictures.ts";
import { send } from "../../../test/receiver.ts";
import { makeSubCompany } from "../../../test/statements.ts";
import { sql } from "../../database/sql.ts";

const list = "/console/sub-companies";
const known = "2250700000000";
const stranger = "2250733333333";

test("200: each sub-company has its month, its logo and a preview; switched off, it can be used no more", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  const awa = await makeSubCompany(service, company, "Boutique Awa");
  const idle = await makeSubCompany(service, company, "Atelier Idle");
  await send(service, company, "s-1", { msisdn: known, amount: 25_000, subCompanyId: awa });
  await send(service, company, "s-2", { msisdn: known, amount: 6_000, subCompanyId: awa });
  await send(service, company, "s-3", { msisdn: stranger, amount: 9_000, subCompanyId: awa });
  await send(service, company, "own", { msisdn: known, amount: 7_000 });
  await untilSettled(db.database);
  const charges = new ChargeClient(service, company);
  const paid = await charges.paid({ externalId: "c-1", amount: 11_000, subCompanyId: awa });
  await charges.refund(paid, { amount: 1_000 });
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));

  const page = await client.get(list);
  const shown = textOf(page.text);
  // What came back is not counted, and nobody else's is.
  expect(shown).toMatch(
    /Boutique Awa Active 31 000 F CFA 2 virements 11 000 F CFA 1 paiement, dont 1 000 F CFA remboursés/,
  );
  expect(shown).toMatch(/Atelier Idle Active 0 F CFA 0 virement 0 F CFA 0 paiement/);
  expect(page.text).not.toContain("<img");
  const path = `${list}/${awa}`;
  const waiting = await client.get(path);
  expect(textOf(waiting.text)).toContain("ses initiales le remplacent");
  expect(waiting.text).toContain(">BA</span>");
  expect((await client.get(`${path}/logo`)).status).toBe(404);

  await keepLogo(db, "https://shop.example/logo.png", pictures.png);
  const withLogo = await client.get(path);
  expect(withLogo.text).toContain(`src="${path}/logo"`);
  expect(textOf(withLogo.text)).toContain("Boutique Awa vous demande de payer");
  expect(await client.get(`${path}/logo`)).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png", "content-security-policy": "default-src 'none'" },
  });

  const off = await client.post(`${path}/active`, { active: "no" });
  expect(off.location).toBe(path);
  expect(textOf((await client.get(path)).text)).toContain("Boutique Awa est désactivée.");
  const refused = await charges.create({ externalId: "c-2", subCompanyId: awa });
  expect(refused.body.code).toBe("sub_company_inactive");
  expect((await client.post(`${path}/active`, { active: "yes" })).status).toBe(303);
  expect((await charges.create({ externalId: "c-2", subCompanyId: awa })).status).toBe(201);
  const entries = await db.database.query(sql`
    select 1 from company_trail where action = 'sub_company.changed' and person_id is not null`);
  expect(entries).toHaveLength(2);
  expect((await client.get(`${list}/${idle}`)).status).toBe(200);
});

test("the section is there for owners of aggregators, and nobody reaches another’s", async ({
  db,
  service,
  company,
}) => {
  const owner = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  expect((await owner.get("/console")).text).not.toContain(`href="${list}"`);
  expect(textOf((await owner.get(list)).text)).toContain("Aucune sous-société");
  const awa = await makeSubCompany(service, company, "Boutique Awa");
  expect((await owner.get("/console")).text).toContain(`href="${list}"`);

  const other = await makeCompany(db.database);
  const stranger2 = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  for (const tail of ["", "/logo"])
    expect((await stranger2.get(`${list}/${awa}${tail}`)).status).toBe(404);
  expect((await stranger2.post(`${list}/${awa}/active`, { active: "no" })).status).toBe(404);
  for (const role of ["preparer", "approver", "reader", "developer"] as const) {
    const client = new ConsoleClient(service, await signIn(db, company.id, role));
    expect((await client.get("/console/team")).text).not.toContain(`href="${list}"`);
    for (const path of [list, `${list}/${awa}`, `${list}/${awa}/logo`])
      expect((await client.get(path)).status, `${role} ${path}`).toBe(403);
    expect((await client.post(`${list}/${awa}/active`, { active: "no" })).status).toBe(403);
  }
  expect((await owner.post(`${list}/${awa}/active`, { token: "stale" })).status).toBe(403);
  expect(await db.database.query(sql`select is_active from sub_companies`)).toEqual([
    { is_active: true },
  ]);
});
