import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ChargeClient, payer, walletOf } from "../../../test/charges.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { auditDifferences, makeCompany, test } from "../../../test/fixtures.ts";
import { hiddenFieldsOf } from "../../../test/hidden-fields.ts";
import { textOf } from "../../../test/pay-page.ts";
import { setAloneMax } from "../../approvals/rules.ts";
import { sql } from "../../database/sql.ts";
import { operator } from "../../trail/actor.ts";

const list = "/console/collections";

test("a refund shows its effect first, waits for another person, and is made once, as it was shown", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 20_000 });
  const charges = new ChargeClient(service, company);
  const id = await charges.paid({ externalId: "order-7", amount: 10_000 });
  const balance = await charges.balance();
  const maker = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  const boss = await signIn(db, company.id, "owner");
  const checker = new ConsoleClient(service, boss);
  const code = await giveAuthenticator(db.database, boss);
  const path = `${list}/${id}/refund`;

  expect((await maker.get(path)).text).toContain('value="10000"');
  for (const [amount, said] of [
    ["", "Écrivez le montant à rembourser."],
    ["10001", "doit être compris entre 1 et 10 000 F CFA"],
    ["0", "doit être compris entre 1"],
    ["2.500", "peut se lire de deux façons"],
  ] as const) {
    const bad = await maker.post(`${path}/review`, { amount });
    expect(bad.status).toBe(422);
    expect(textOf(bad.text)).toContain(said);
  }

  const review = await maker.post(`${path}/review`, { amount: "2 500" });
  const shown = textOf(review.text);
  expect(shown).toMatch(/Le client reçoit 2 500 F CFA/);
  expect(shown).toContain("deux mille cinq cents francs CFA");
  expect(shown).toMatch(/Frais qui vous sont rendus 50 F CFA/);
  expect(shown).toMatch(/Débité de votre solde 2 450 F CFA/);
  expect(shown).toMatch(/Restera remboursable 7 500 F CFA/);
  expect(shown).toContain("attendra l’approbation d’une autre personne");

  const fields = hiddenFieldsOf(review.text);
  const asked = await Promise.all(Array.from({ length: 6 }, () => maker.post(path, fields)));
  const [approval = ""] = [...new Set(asked.map(({ location }) => location))];
  expect(approval).toMatch(/^\/console\/approvals\/prop_/);
  expect(await db.database.query(sql`select 1 from proposals`)).toHaveLength(1);
  expect(await charges.balance()).toBe(balance);
  expect(textOf((await maker.get(`${list}/${id}`)).text)).toContain(
    "Un remboursement de 2 500 F CFA attend une décision.",
  );

  const page = await checker.get(approval);
  expect(page.text).toContain(`${list}/${id}`);
  const { hash = "" } = hiddenFieldsOf(page.text);
  await checker.post(`${approval}/approve`, { hash, code: await code() });
  await checker.post(`${approval}/approve`, { hash, code: await code() });
  expect(await charges.balance()).toBe(balance - 2_450);
  const after = textOf((await maker.get(`${list}/${id}`)).text);
  expect(after).toContain("2 500 F CFA remboursés au payeur");
  expect(after).toContain(`approuvé par ${boss.email}`);
  expect(after).not.toContain("attend une décision");
  // The form that asked for it leads to what became of it, and asks for nothing more.
  expect((await maker.post(path, fields)).location).toBe(`${list}/${id}`);
  expect(await db.database.query(sql`select 1 from proposals`)).toHaveLength(1);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a refund within one’s own limit leaves at once, and not under an effect that holds no more", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const id = await charges.paid({ externalId: "order-8", amount: 10_000 });
  await setAloneMax(db.database, company.id, 100_000, operator("a test"));
  const maker = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const path = `${list}/${id}/refund`;
  const before = await walletOf(db, payer);
  const fields = hiddenFieldsOf((await maker.post(`${path}/review`, { amount: "4000" })).text);

  await charges.refund(id, { amount: 1_000 });
  const stale = await maker.post(path, fields);
  expect(stale.status).toBe(422);
  expect(textOf(stale.text)).toContain("a changé depuis que vous avez vu l’effet");
  expect(textOf(stale.text)).toMatch(/Restera remboursable 5 000 F CFA/);
  expect(await walletOf(db, payer)).toBe(before + 1_000);

  const fresh = hiddenFieldsOf(stale.text);
  const answers = await Promise.all(Array.from({ length: 6 }, () => maker.post(path, fresh)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(await walletOf(db, payer)).toBe(before + 5_000);
  expect((await maker.post(path, fresh)).location).toBe(`${list}/${id}`);
  expect(await walletOf(db, payer)).toBe(before + 5_000);

  await charges.refund(id);
  const over = await maker.get(path);
  expect(over).toMatchObject({ status: 303, location: `${list}/${id}` });
  expect(textOf((await maker.get(over.location)).text)).toContain(
    "Cet encaissement ne peut pas être remboursé.",
  );
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("the timeline of a charge says why a refund was made, as it was given, and in the language of the page", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const id = await charges.paid({ amount: 10_000 });
  const reason = "Article cassé <b>& rendu";
  await charges.refund(id, { amount: 1_000, reason });
  await charges.refund(id, { amount: 2_000 });
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));

  const { text } = await reader.get(`${list}/${id}`);
  expect(text).not.toContain("<b>& rendu");
  const french = textOf(text);
  expect(french).toContain("1 000 F CFA remboursés au payeur");
  expect(french.split("Motif : ")).toHaveLength(2);
  expect(french).toContain("Motif : « Article cassé");
  await reader.post("/console/language", { lang: "en", back: "/console" });
  const english = textOf((await reader.get(`${list}/${id}`)).text);
  expect(english).toContain("Reason: “Article cassé");
});
