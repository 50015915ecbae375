import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { somebody } from "../../../test/desk.ts";
import { auditDifferences, box, makeCompany, test } from "../../../test/fixtures.ts";
import { sendBatchByKey, sendByKey, statusesOf } from "../../../test/held.ts";
import { textOf } from "../../../test/pay-page.ts";
import { setKeysAloneMax } from "../../approvals/rules.ts";
import { createKey } from "../../companies/credentials.ts";
import { Signals } from "../../database/signals.ts";
import { operator } from "../../trail/actor.ts";

const held = "/console/approvals/held";
const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";

test("what keys have sent is shown, reviewed and decided at the console, in both languages", async ({
  db,
  service,
  company,
}) => {
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));
  const owner = await signIn(db, company.id, "owner");
  const code = await giveAuthenticator(db.database, owner);
  const boss = new ConsoleClient(service, owner);
  expect(textOf((await boss.get(held)).text)).toContain("Aucun paiement par clé n’est retenu");
  const rent = (await sendByKey(service, company, "Loyer")).body;
  const batch = (await sendBatchByKey(service, company, "mai", 3)).body;

  expect(textOf((await boss.get("/console")).text)).toContain(
    "4 paiements par clé d’API à vérifier",
  );
  const list = await boss.get("/console/approvals?lang=en");
  expect(textOf(list.text)).toContain("Payments by API key");
  expect(list.text).toContain(`${held}?transaction=${rent.id}`);
  expect(list.text).toContain(`${held}?batch=${batch.id}`);
  await boss.get("/console/approvals?lang=fr");
  const waiting = await boss.get(`/console/transfers/${rent.id}`);
  expect(textOf(waiting.text)).toContain("Attend l’approbation d’une personne");
  expect(waiting.text).toContain(`${held}?transaction=${rent.id}`);

  const review = await boss.get(`${held}?batch=${batch.id}`);
  expect(textOf(review.text)).toContain("Lignes 1 à 3 sur 3");
  const fields = { hash: hidden(review.text, "hash"), batch: batch.id };
  const content = await boss.get(`${held}/content.txt?batch=${batch.id}`);
  expect(content.text.trim().split("\n")).toHaveLength(4);
  const wrong = await boss.post(`${held}/refuse`, { ...fields, comment: "non", code: "000000" });
  expect(wrong.location).toBe(`${held}?batch=${batch.id}`);
  const silent = await boss.post(`${held}/refuse`, { ...fields, comment: " ", code: await code() });
  expect(silent.location).toBe(`${held}?batch=${batch.id}`);
  expect(await statusesOf(service, company)).toEqual({ pending: 4 });
  const refusal = { ...fields, comment: "Je ne connais personne.", code: await code() };
  expect((await boss.post(`${held}/refuse`, refusal)).location).toBe("/console/approvals");
  expect(textOf((await boss.get("/console/approvals")).text)).toContain("3 virements ont échoué");
  expect((await boss.post(`${held}/refuse`, refusal)).status).toBe(404);

  const all = await boss.get(held);
  const asked = { hash: hidden(all.text, "hash"), upto: hidden(all.text, "upto") };
  await sendByKey(service, company, "Eau");
  const stale = await boss.post(`${held}/approve`, {
    ...asked,
    hash: fields.hash,
    code: await code(),
  });
  expect(stale.location).toBe(held);
  expect(textOf((await boss.get(held)).text)).toContain("Vérifiez de nouveau");
  const done = await boss.post(`${held}/approve`, { ...asked, code: await code() });
  expect(done.location).toBe("/console/approvals");
  await expect
    .poll(() => statusesOf(service, company))
    .toEqual({ pending: 1, completed: 1, failed: 3 });
  const left = textOf((await boss.get(`/console/transfers/${rent.id}`)).text);
  expect(left).toContain(`Approuvé par ${owner.email}`);
  const failed = batch.transactions[0].id;
  const came = textOf((await boss.get(`/console/transfers/${failed}`)).text);
  expect(came).toContain("Une personne l’a refusé");
  expect(came).toContain("Je ne connais personne.");
  expect(came).not.toContain("Motif inconnu");
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("403, 404: lower roles, another company, and whoever made a key", async ({
  db,
  service,
  company,
}) => {
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));
  const owner = await signIn(db, company.id, "owner");
  const signals = new Signals(db.url, db.database);
  const request = { companyId: company.id, name: "Boutique" };
  const by = somebody(owner.personId);
  await createKey(db.database, signals, box, new Date(), request, by, 9);
  const code = await giveAuthenticator(db.database, owner);
  const rent = (await sendByKey(service, company, "Loyer")).body;
  const of = `${held}?transaction=${rent.id}`;

  const boss = new ConsoleClient(service, owner);
  const own = await boss.get(of);
  expect(textOf(own.text)).toContain("une autre personne doit décider");
  expect(own.text).not.toContain(`${held}/approve`);
  const preparer = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  const seen = await preparer.get(of);
  expect(textOf(seen.text)).toContain("Votre rôle permet de voir ces paiements");
  const [, hash = ""] = /<code>([0-9a-f]{64})<\/code>/.exec(seen.text) ?? [];
  const fields = { hash, transaction: rent.id };
  const tried = await boss.post(`${held}/approve`, { ...fields, code: await code() });
  expect(tried.location).toBe(of);
  expect(textOf((await boss.get(of)).text)).toContain("Rien n’a été envoyé");
  for (const what of ["approve", "refuse"])
    expect((await preparer.post(`${held}/${what}`, fields)).status).toBe(403);
  for (const role of ["reader", "developer"] as const) {
    const client = new ConsoleClient(service, await signIn(db, company.id, role));
    expect((await client.get(of)).status).toBe(403);
    expect((await client.post(`${held}/approve`, fields)).status).toBe(403);
  }
  const other = await makeCompany(db.database);
  const stranger = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  expect((await stranger.get(of)).status).toBe(404);
  expect((await stranger.get(`${held}/content.txt?transaction=${rent.id}`)).status).toBe(404);
  expect((await stranger.post(`${held}/approve`, { ...fields, code: "123456" })).status).toBe(404);
  expect((await boss.get(`${held}?batch=nothing`)).status).toBe(404);
  expect((await boss.get(`${held}?upto=nothing`)).status).toBe(404);
  expect(await statusesOf(service, company)).toEqual({ pending: 1 });
});
