import type { Page } from "playwright-core";
import { expect } from "vitest";
import { useBrowser } from "../browser.ts";
import { accountsOf, ChargeClient, decliner, expire, payer, walletOf } from "../charges.ts";
import {
  auditDifferences,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../fixtures.ts";
import { type MerchantSite, startMerchantSite } from "../merchant-site.ts";
import { type Receiver, startReceiver, subscribe } from "../receiver.ts";

const openPage = useBrowser();

/** A charge of 25 000 F CFA of a shop that wants to be told what becomes of it. */
class Purchase {
  readonly #db: TestDatabase;
  readonly #companyId: string;
  readonly charges: ChargeClient;
  readonly shop: MerchantSite;
  readonly receiver: Receiver;
  readonly id: string;
  readonly url: string;

  private constructor(
    db: TestDatabase,
    company: TestCompany,
    charges: ChargeClient,
    shop: MerchantSite,
    receiver: Receiver,
    created: { readonly id: string; readonly url: string },
  ) {
    this.#db = db;
    this.#companyId = company.id;
    this.charges = charges;
    this.shop = shop;
    this.receiver = receiver;
    this.id = created.id;
    this.url = created.url;
  }

  static async start(db: TestDatabase, service: TestService, company: TestCompany) {
    const charges = new ChargeClient(service, company);
    const shop = await startMerchantSite();
    const receiver = await startReceiver();
    await subscribe(service, company, receiver.url, ["charge/events"]);
    const { body } = await charges.create({
      amount: 25_000,
      externalId: "order 417",
      description: "Deux boubous",
      onCompletedRedirectionUrl: `${shop.url}/merci?from=pay`,
      onCanceledRedirectionUrl: `${shop.url}/panier#suite`,
    });
    const url = service.url + new URL(body.paymentUrl).pathname;
    return new Purchase(db, company, charges, shop, receiver, { id: body.id, url });
  }

  /** How it ended for everybody: the charge, the notification, the books. */
  async expectEnd(end: {
    readonly status: string;
    readonly attempts: number;
    readonly paid: number;
    readonly events?: number;
  }) {
    const { status, attempts, paid } = end;
    const { body } = await this.charges.get(this.id);
    expect(body).toMatchObject({ status, attempts, paid });
    const events = await this.receiver.until(end.events ?? 1);
    expect(events).toHaveLength(end.events ?? 1);
    expect(events.at(-1)?.body).toMatchObject({
      topic: "charge/events",
      data: { id: this.id, status, attempts, paid, externalId: "order 417" },
    });
    const kept = paid - body.refunded;
    expect(await walletOf(this.#db, payer)).toBe(0 - kept);
    const accounts = await accountsOf(this.#db, this.#companyId);
    expect(accounts["available"]).toBe(1_000_000 + kept);
    expect(await auditDifferences(this.#db.database)).toEqual([]);
  }
}

/** As people do it: every action is a form that is filled in and sent. */
async function askForCode(page: Page, phone: string): Promise<void> {
  await page.getByLabel("Votre numéro de téléphone").fill(phone);
  await page.getByRole("button", { name: "Payer 25 000 F CFA" }).click();
  await page.getByLabel("Code à six chiffres").waitFor();
}

async function readCode(page: Page): Promise<string> {
  return page.locator(".code-test b").innerText();
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code à six chiffres").fill(code);
  await page.getByRole("button", { name: "Confirmer 25 000 F CFA" }).click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  test(`${how}: pay by code, read the receipt, go back to the shop, open it again`, async ({
    db,
    service,
    company,
  }) => {
    const purchase = await Purchase.start(db, service, company);
    const page = await openPage({ javaScriptEnabled });
    await page.goto(purchase.url);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
      "25\u00a0000\u00a0F\u00a0CFA",
    );
    expect(
      await page.getByText(/Expire à \d\d:\d\d\sGMT \(dans (?:59\sminutes|1\sheure)\)/).count(),
    ).toBe(1);

    await askForCode(page, "+225 07 00.00-00 00");
    expect(await page.getByText("•• •• •• 00").count()).toBe(1);
    // A tab that was closed is opened again: nothing is lost, no second code is needed.
    await page.goto("about:blank");
    await page.goto(purchase.url);
    await typeCode(page, await readCode(page));
    await page.getByRole("heading", { name: "Paiement effectué" }).waitFor();
    expect(page.url()).toBe(purchase.url);
    const { body } = await purchase.charges.get(purchase.id);
    const reference: string = body.transactions[0].providerTransactionReference;
    expect(await page.getByText(reference, { exact: true }).count()).toBe(1);

    await page.getByRole("link", { name: "Retour à Test" }).click();
    await page.waitForURL(`${purchase.shop.url}/**`);
    const back = `/merci?from=pay&chargeId=${purchase.id}&externalId=order%20417`;
    expect(purchase.shop.visits[0]).toEqual({ path: back, referrer: undefined });
    await page.goto(purchase.url);
    await page.getByRole("heading", { name: "Paiement effectué" }).waitFor();
    await purchase.expectEnd({ status: "paid", attempts: 1, paid: 25_000 });
  });

  test(`${how}: an attempt fails, says why, and another phone pays`, async ({
    db,
    service,
    company,
  }) => {
    const purchase = await Purchase.start(db, service, company);
    const page = await openPage({ javaScriptEnabled });
    await page.goto(purchase.url);
    await askForCode(page, decliner);
    await typeCode(page, await readCode(page));
    await page.getByRole("heading", { name: "Le paiement n’a pas abouti" }).waitFor();
    expect(await page.getByText("Rien n’a été débité").count()).toBe(1);
    expect((await purchase.charges.get(purchase.id)).body).toMatchObject({
      status: "due",
      attempts: 1,
    });
    await page.reload();
    await page.getByRole("heading", { name: "Le paiement n’a pas abouti" }).waitFor();

    const other = page.getByRole("button", { name: "Utiliser un autre numéro" });
    if ((await other.count()) > 0) await other.click();
    await askForCode(page, payer);
    await typeCode(page, await readCode(page));
    await page.getByRole("heading", { name: "Paiement effectué" }).waitFor();
    await purchase.expectEnd({ status: "paid", attempts: 2, paid: 25_000 });
  });

  test(`${how}: cancelling goes back to the shop, and nothing is paid`, async ({
    db,
    service,
    company,
  }) => {
    const purchase = await Purchase.start(db, service, company);
    const page = await openPage({ javaScriptEnabled });
    await page.goto(purchase.url);
    // One tap drops nothing: the payer is asked, and may go on.
    const cancel = page.getByRole("link", { name: "Annuler et revenir à Test" });
    await cancel.click();
    await page.getByRole("heading", { name: "Annuler ce paiement ?" }).waitFor();
    await page.getByRole("link", { name: "Non, continuer le paiement" }).click();
    await page.getByLabel("Votre numéro de téléphone").waitFor();
    expect((await purchase.charges.get(purchase.id)).body.status).toBe("due");
    await cancel.click();
    await page.getByRole("button", { name: "Oui, annuler et revenir à Test" }).click();
    await page.waitForURL(`${purchase.shop.url}/**`);
    const back = `/panier?chargeId=${purchase.id}&externalId=order%20417`;
    expect(purchase.shop.visits[0]).toEqual({ path: back, referrer: undefined });
    expect(page.url()).toBe(`${purchase.shop.url}${back}#suite`);

    await page.goto(purchase.url);
    await page.getByRole("heading", { name: "Paiement annulé" }).waitFor();
    expect(page.url()).toBe(purchase.url);
    const link = page.getByRole("link", { name: "Retour à Test" });
    expect(await link.getAttribute("href")).toBe(`${purchase.shop.url}${back}#suite`);
    await purchase.expectEnd({ status: "dropped", attempts: 0, paid: 0 });
  });

  test(`${how}: an hour later it has expired, and the code in hand is worth nothing`, async ({
    db,
    service,
    company,
  }) => {
    const purchase = await Purchase.start(db, service, company);
    const page = await openPage({ javaScriptEnabled });
    await page.goto(purchase.url);
    await askForCode(page, payer);
    const code = await readCode(page);
    await expire(db, purchase.id);
    await typeCode(page, code);
    await page.getByRole("heading", { name: "Ce paiement a expiré" }).waitFor();
    expect(await page.getByText("Rien n’a été débité.").count()).toBe(1);

    await page.getByRole("link", { name: "Retour à Test" }).click();
    await page.waitForURL(`${purchase.shop.url}/**`);
    expect(purchase.shop.visits[0]?.path).toContain("/panier?chargeId=");
    await purchase.expectEnd({ status: "dropped", attempts: 0, paid: 0 });
  });

  test(`${how}: what was given back stands on the same page`, async ({ db, service, company }) => {
    const purchase = await Purchase.start(db, service, company);
    await purchase.charges.pay(purchase.id);
    await purchase.charges.refund(purchase.id, { amount: 10_000 });
    const page = await openPage({ javaScriptEnabled });
    await page.goto(purchase.url);
    await page.getByRole("heading", { name: "Paiement remboursé en partie" }).waitFor();
    expect(await page.getByText("15 000 F CFA").count()).toBe(1);

    await purchase.charges.refund(purchase.id);
    await page.reload();
    await page.getByRole("heading", { name: "Paiement remboursé", exact: true }).waitFor();
    await purchase.expectEnd({ status: "refunded", attempts: 1, paid: 25_000, events: 3 });
  });
}

test("two presses of a button that was not disabled pay once", async ({ db, service, company }) => {
  const purchase = await Purchase.start(db, service, company);
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(purchase.url);
  await askForCode(page, payer);
  await page.getByLabel("Code à six chiffres").fill(await readCode(page));
  await page.getByRole("button", { name: "Confirmer 25 000 F CFA" }).dblclick();
  await page.getByRole("heading", { name: "Paiement effectué" }).waitFor();
  await purchase.expectEnd({ status: "paid", attempts: 1, paid: 25_000 });
});

test("with JavaScript a form that was sent says so and cannot be sent again", async ({
  db,
  service,
  company,
}) => {
  const purchase = await Purchase.start(db, service, company);
  const page = await openPage();
  await page.goto(purchase.url);
  // The form stays where it is, so that what becomes of its button can be looked at.
  await page.evaluate("addEventListener('submit', (event) => event.preventDefault())");
  await page.getByLabel("Votre numéro de téléphone").fill(payer);
  await page.getByRole("button", { name: "Payer" }).click();
  const button = page.getByRole("button", { name: "Envoi en cours…" });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
});
