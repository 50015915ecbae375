import { expect } from "vitest";
import { ChargeClient, decliner, expire, payer } from "../../../test/charges.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { auditDifferences, makeCompany, test } from "../../../test/fixtures.ts";
import { hiddenFieldsOf } from "../../../test/hidden-fields.ts";
import { PayPage, textOf } from "../../../test/pay-page.ts";
import { makeSubCompany } from "../../../test/statements.ts";
import { sql } from "../../database/sql.ts";

const list = "/console/collections";
const filled = {
  amount: "15 000",
  description: "Commande 142",
  reference: "L-142",
  subCompany: "",
};

test("200: the list filters, sums, exports exactly that, and finds by id, reference or payer", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const paid = await charges.paid({ externalId: "=1+1", amount: 25_000 });
  await charges.refund(paid, { amount: 5_000 });
  const late = await charges.made({ externalId: "late", amount: 6_000, description: "Thé" });
  await charges.pay(late, decliner);
  await expire(db, late);
  const client = new ConsoleClient(service, await signIn(db, company.id, "reader"));

  const all = await client.get(list);
  expect(all.status).toBe(200);
  expect(textOf(all.text)).toContain("2 encaissements");
  expect(textOf(all.text)).toContain("31 000 F CFA");
  expect(textOf(all.text)).toContain("Le délai est passé");
  expect(all.text).not.toContain(`${list}/new`);

  const dropped = await client.get(`${list}?status=dropped&max=6000&limit=50`);
  expect(textOf(dropped.text)).toContain("1 encaissement ");
  expect(dropped.text).not.toContain("=1+1");
  const csv = await client.get(`${list}.csv?status=refunded_partially&dialect=machine`);
  expect(csv.text.split("\r\n")).toHaveLength(3);
  expect(csv.text).toContain(`,'=1+1,Order 1,${payer},25000,`);
  expect(csv.text).toContain(",refunded_partially,");
  const excel = await client.get(`${list}.csv`);
  expect(excel.text.startsWith("\ufeffIdentifiant;Date")).toBe(true);

  for (const text of [paid, "=1%2B1"])
    expect(await client.get(`${list}?q=${text}`)).toMatchObject({
      status: 303,
      location: `${list}/${paid}`,
    });
  expect(await client.get(`${list}?q=%2B${decliner}`)).toMatchObject({
    location: `${list}?phone=${decliner}`,
  });
  const tried = await client.get(`${list}?phone=${decliner}`);
  expect(tried.text).toContain("late");
  expect(tried.text).not.toContain("=1+1");
  expect(textOf((await client.get(`${list}?q=nobody%00`)).text)).toContain("Aucun encaissement");
  const wrong = await client.get(`${list}?from=2026-02-31`);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("Écrivez un jour qui existe");
});

test("a link is created once however often its form is sent, shows how to be paid, and says who made it", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const client = new ConsoleClient(service, who);
  const form = await client.get(`${list}/new`);
  expect(textOf(form.text)).toContain("valable 1 heure");
  const bad = await client.post(`${list}/new`, { ...filled, amount: "25.000", description: "" });
  expect(bad.status).toBe(422);
  expect(textOf(bad.text)).toContain("peut se lire de deux façons");
  expect(textOf(bad.text)).toContain("Écrivez ce que le client paie.");

  const sent = { ...filled, form: hiddenFieldsOf(form.text)["form"] ?? "" };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => client.post(`${list}/new`, sent)),
  );
  const places = new Set(answers.map(({ status, location }) => `${status} ${location}`));
  expect(places.size).toBe(1);
  const again = await client.post(`${list}/new`, sent);
  expect([...places]).toEqual([`303 ${again.location}`]);
  expect(await db.database.query(sql`select 1 from charges`)).toHaveLength(1);

  // The same form with another content is another link, and has to be meant.
  const changed = await client.post(`${list}/new`, { ...sent, amount: "16000" });
  expect(changed.status).toBe(422);
  expect(textOf(changed.text)).toContain("Ce formulaire a déjà créé un lien");
  const used = await client.post(`${list}/new`, filled);
  expect(textOf(used.text)).toContain("Un encaissement porte déjà cette référence.");
  expect(await db.database.query(sql`select 1 from charges`)).toHaveLength(1);

  const page = await client.get(again.location);
  const shown = textOf(page.text);
  expect(shown).toContain("Lien créé");
  expect(shown).toContain(`Par ${who.email}`);
  const [, url = ""] = /class="secret">([^<]+)</.exec(page.text) ?? [];
  expect(new URL(url).pathname).toMatch(/^\/pay\//);
  expect(page.text).toContain("https://wa.me/?text=");
  expect(page.text).toContain("sms:?body=");
  expect(shown).toContain("Test vous demande 15 000 F CFA");
  expect(page.text).toContain("<svg");
  const entries = await db.database.query(sql`
    select subject, person_id from company_trail where action = 'charge.created'`);
  expect(entries).toEqual([{ subject: again.location.split("/").at(-1), person_id: who.personId }]);

  const sheet = await client.get(`${again.location}/print?size=a6`);
  expect(sheet.text).toContain("@page { size: A6");
  const [, printed = ""] = /<main[^>]*>(.*)<\/main>/s.exec(sheet.text) ?? [];
  expect(printed.match(/<p[ >]/g)).toHaveLength(2);
  expect(textOf(printed)).toContain("15 000 F CFA");
  expect(textOf(printed)).toContain("Commande 142");

  // Whoever pays by it came from no site: there is none to go back to.
  const payPage = new PayPage(service, new URL(url).pathname);
  const asked = await payPage.get();
  expect(asked.html).toContain("Annuler ce paiement");
  await new ChargeClient(service, company).pay(again.location.split("/").at(-1) ?? "");
  const receipt = await payPage.get();
  expect(receipt.html).toContain("Paiement effectué");
  expect(receipt.html).not.toContain("Retour à");
  expect((await client.get(`${again.location}/print`)).location).toBe(again.location);
  expect(textOf((await client.get(again.location)).text)).toContain("Payé par +225 07 00 00 00 00");
});

test("422: a link of a sub-company that is switched off; what was dropped can be made again", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const subCompany = await makeSubCompany(service, company, "Boutique Awa");
  const made = await client.post(`${list}/new`, { ...filled, subCompany });
  const charge = made.location.split("/").at(-1) ?? "";
  expect(textOf((await client.get(made.location)).text)).toContain("Boutique Awa vous demande");
  await service.call("PUT", `/v1/sub-companies/${subCompany}`, {
    token: company.accessToken,
    body: { isActive: false },
  });
  const refused = await client.post(`${list}/new`, { ...filled, reference: "L-143", subCompany });
  expect(refused.status).toBe(422);
  expect(textOf(refused.text)).toContain("Cette sous-société ne peut pas être utilisée.");

  await expire(db, charge);
  const over = await client.get(made.location);
  expect(textOf(over.text)).toContain("Personne n’a payé à temps. Aucun argent n’a bougé.");
  expect(over.text).not.toContain("wa.me");
  const redo = await client.get(`${list}/new?redo=${charge}`);
  expect(redo.text).toContain('value="15000"');
  expect(redo.text).not.toContain('value="L-142"');
});

test("404 and 403: nobody sees another company’s collections, and who may only read makes none", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const id = await charges.paid({ externalId: "ours" });
  const other = await makeCompany(db.database);
  const stranger = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  const unknown = "0".repeat(8) + id.slice(8);
  for (const tail of ["", "/print", "/refund"])
    for (const one of [id, unknown])
      expect((await stranger.get(`${list}/${one}${tail}`)).status, tail).toBe(404);
  for (const tail of ["/refund", "/refund/review"])
    expect((await stranger.post(`${list}/${id}${tail}`, { amount: "1" })).status).toBe(404);
  expect((await stranger.get(`${list}/new?redo=${id}`)).status).toBe(404);
  expect(textOf((await stranger.get(`${list}?q=ours`)).text)).toContain("Aucun encaissement");

  for (const role of ["reader", "approver", "developer"] as const) {
    const client = new ConsoleClient(service, await signIn(db, company.id, role));
    expect((await client.get(`${list}/${id}`)).status).toBe(200);
    for (const tail of ["/new", `/${id}/refund`])
      expect((await client.get(list + tail)).status, tail).toBe(403);
    for (const tail of ["/new", `/${id}/refund`, `/${id}/refund/review`])
      expect((await client.post(list + tail, { ...filled, amount: "1" })).status).toBe(403);
  }
  expect(await db.database.query(sql`select 1 from charges`)).toHaveLength(1);
  expect(await db.database.query(sql`select 1 from proposals`)).toEqual([]);
  expect(await auditDifferences(db.database)).toEqual([]);
});
