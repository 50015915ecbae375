import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { hashPassword } from "../../src/staff/passwords.ts";
import { recordCredentials } from "../../src/staff/record-credentials.ts";
import { giveAuthenticator } from "../authenticator.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn, signInOperator } from "../console.ts";
import { auditDifferences, makeCustomer, test } from "../fixtures.ts";
import { Keyboard } from "../keyboard.ts";

const open = useBrowser();
const timeout = 180_000;
const password = "le marché ouvre à sept heures";
const phones = ["2250700000000", "221771000001", "221771000002"];
const viewport = { width: 1_280, height: 800 };
const spaced = (text: string | null) => (text ?? "").replaceAll(/[\u00a0\u202f]/g, " ");

/** What the page says in its middle. */
async function said(page: Page): Promise<string> {
  return spaced(await page.textContent("main"));
}

test("with the keyboard alone: sign in with a code, a transfer, a payroll, an approval, a statement, a session ended", {
  timeout,
}, async ({ db, service, company }) => {
  for (const phone of phones) await makeCustomer(db.database, phone);
  const maker = await signIn(db, company.id, "owner");
  const code = await giveAuthenticator(db.database, maker);
  const stretched = await hashPassword(password, "a test");
  await db.database.transaction(async (tx) => {
    await tx.query(sql`
      update people set password = ${stretched} where person_id = ${maker.personId}`);
    await recordCredentials(tx, maker.personId);
  });

  const page = await open({ viewport });
  const keys = new Keyboard(page);
  await page.goto(`${service.url}/console/login`);
  await keys.walk(false);
  await keys.type("Adresse e-mail", maker.email);
  await keys.type("Mot de passe", password);
  await keys.send();
  await keys.walk(false);
  await keys.type(/^Code à six chiffres/, await code());
  await keys.send();
  expect(new URL(page.url()).pathname).toBe("/console");
  await keys.walk();

  await keys.follow("Virements");
  await keys.walk();
  await keys.follow("Nouveau virement");
  await keys.walk();
  await keys.type(/^Numéro/, `+${phones[0]}`);
  await keys.type(/^Montant/, "45000");
  await keys.follow("Vérifier");
  await keys.follow(/^Demander l’envoi/);
  expect(await said(page)).toContain("Virement de 45 000 F CFA en attente d’approbation");

  await keys.follow("Paie");
  await keys.walk();
  const rows = ["+221771000001;7500;k-1;Paie", "+221771000002;vingt;k-2;Paie"];
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    keys.press("Fichier CSV ou Excel (.xlsx)", "Space"),
  ]);
  await chooser.setFiles({
    name: "juin.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["telephone;montant;reference;motif", ...rows, ""].join("\r\n")),
  });
  await keys.follow("Envoyer et vérifier");
  await keys.walk();
  await keys.type(/^Montant/, "8000");
  await keys.send();
  await keys.walk();
  await keys.follow(/^Demander l’approbation de 15/);
  await keys.walk();

  const other = await open({ viewport });
  const checker = await signIn(db, company.id, "approver");
  const checkersCode = await giveAuthenticator(db.database, checker);
  await keepSignedIn(other.context(), service.url, checker);
  const othersKeys = new Keyboard(other);
  await other.goto(`${service.url}/console`);
  await othersKeys.follow("Approbations");
  await othersKeys.walk();
  await othersKeys.follow(/juin/);
  await othersKeys.walk();
  await othersKeys.type("Code à six chiffres", await checkersCode());
  await othersKeys.follow(/^Approuver 2 paiements/, "Space");
  expect(await said(other)).toMatch(/Approuvé/);

  await keys.follow("Relevés");
  await keys.walk();
  expect(await said(page)).toContain("Solde");

  const elsewhere = await signIn(db, company.id, "owner", maker.email);
  await keys.follow("Équipe et sécurité");
  await keys.walk();
  await keys.follow("Votre compte");
  await keys.walk();
  await keys.follow("Terminer toutes les autres", "Space");
  expect(await said(page)).toContain("Toutes les autres sessions sont terminées.");
  const ended = await open();
  await keepSignedIn(ended.context(), service.url, elsewhere);
  await ended.goto(`${service.url}/console`);
  expect(new URL(ended.url()).pathname).toBe("/console/login");
  await keys.follow("Trace");
  await keys.walk();
  await keys.follow("Développeurs");
  await keys.walk();

  expect([...keys.faults, ...othersKeys.faults]).toEqual([]);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("with the keyboard alone: an operator finds a company, freezes it for a reason, and tells everybody of it", {
  timeout,
}, async ({ db, service, company }) => {
  const page = await open({ viewport });
  await keepSignedIn(page.context(), service.url, await signInOperator(db));
  const keys = new Keyboard(page);
  await page.goto(`${service.url}/console`);
  await keys.walk();
  await keys.follow("Sociétés");
  await keys.walk();
  await keys.type("Nom ou identifiant", "test");
  await keys.send();
  await keys.follow("Test");
  await keys.walk();
  await keys.follow(/^Geler la société/);
  await keys.walk();
  await keys.type("Motif", "Clé volée, dossier 417");
  await keys.follow("Geler la société", "Space");
  expect(await said(page)).toContain("Test est gelée");
  expect(await page.locator("main .status.bad").count()).toBe(1);

  await keys.follow("Travaux bloqués");
  await keys.walk();
  await keys.follow("Webhooks en panne");
  await keys.walk();
  await keys.follow("Bandeau");
  await keys.walk();
  await keys.reach("Gravité");
  await page.keyboard.press("ArrowDown");
  await keys.type("En français", "Une société est gelée.");
  await keys.type("En anglais", "A company is frozen.");
  await keys.follow("Afficher le bandeau");
  expect(spaced(await page.textContent("header .banner.outage"))).toContain(
    "Une société est gelée.",
  );
  await keys.follow("Retirer le bandeau", "Space");
  expect(await page.locator(".banner").count()).toBe(0);

  expect(keys.faults).toEqual([]);
  expect(
    await db.database.query(
      sql`select 1 from books where company_id = ${company.id} and is_frozen`,
    ),
  ).toHaveLength(1);
});
