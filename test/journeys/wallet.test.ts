import type { Page } from "playwright-core";
import { expect } from "vitest";
import { useBrowser } from "../browser.ts";
import {
  makeCustomer,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../fixtures.ts";
import { startLogoHost } from "../logo-host.ts";
import { pictures } from "../pictures.ts";
import { patience, send } from "../receiver.ts";

const openPage = useBrowser();
const msisdn = "221771234567";

async function makeShop(
  service: TestService,
  { accessToken: token }: TestCompany,
  logoUrl: string,
): Promise<string> {
  const body = { name: "Boutique Awa", logoUrl };
  return (await service.call("POST", "/v1/sub-companies", { token, body })).body.id;
}

async function signIn(page: Page, service: TestService): Promise<void> {
  await page.goto(`${service.url}/wallet`);
  await page.getByLabel("Votre numéro de téléphone").fill("+221 77 123 45 67");
  await page.getByRole("button", { name: "Recevoir un code" }).click();
  const code = await page.locator(".code-test b").innerText();
  await page.getByLabel("Code à six chiffres").fill(code);
  await page.getByRole("button", { name: "Ouvrir mon compte" }).click();
  await page.getByRole("heading", { name: "Bonjour Awa Diop" }).waitFor();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  test(`${how}: a transfer for a sub-company shows its name, its logo and the reference`, async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, msisdn);
    const host = await startLogoHost({ "/logo.png": pictures.png });
    const subCompanyId = await makeShop(service, company, `${host.url}/logo.png`);
    const plain = await send(service, company, "plain", { msisdn, description: "Avance" });
    const onBehalf = await send(service, company, "sub", { msisdn, subCompanyId, amount: 7_500 });
    await untilSettled(db.database);
    await expect.poll(() => host.asked.length, patience).toBe(1);

    const page = await openPage({ javaScriptEnabled });
    await signIn(page, service);
    expect(await page.getByText("12 500 F CFA").count()).toBe(1);
    const [newest, oldest] = await page.getByRole("listitem").all();
    const text = await newest?.innerText();
    expect(text).toContain("Boutique Awa");
    expect(text).toContain("+7\u00a0500\u00a0F\u00a0CFA");
    expect(text).toContain(onBehalf.serviceTransactionReference);
    const shown = "getComputedStyle(document.querySelector('li .logo')).backgroundImage";
    await expect
      .poll(async () => {
        await page.reload();
        return page.evaluate(shown);
      }, patience)
      .toBe(`url("data:image/png;base64,${pictures.png.toString("base64")}")`);
    expect(await oldest?.innerText()).toContain("Test");
    expect(await oldest?.innerText()).toContain("Avance");
    expect(await oldest?.innerText()).toContain(plain.serviceTransactionReference);
    expect(await page.content()).not.toContain("771234567");

    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByLabel("Votre numéro de téléphone").waitFor();
    await page.goto(`${service.url}/wallet`);
    expect(await page.getByLabel("Votre numéro de téléphone").count()).toBe(1);
  });
}

test("a long history is read page by page, forth and back, and no page is over its weight", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, msisdn);
  const rows = Array.from({ length: 45 }, (_, index) => ({
    amount: 5_000 + index,
    msisdn,
    reference: `r${index}`,
    description: `${index} ${"mot ".repeat(200)}`,
  }));
  const body = { transactions: rows };
  const { accessToken: token } = company;
  expect((await service.call("POST", "/v1/transactions/batch", { token, body })).status).toBe(201);
  await untilSettled(db.database);

  const page = await openPage();
  await signIn(page, service);
  const seen: string[] = [];
  for (;;) {
    seen.push(...(await page.locator("li strong:last-child").allInnerTexts()));
    const older = page.getByRole("link", { name: "Plus anciennes" });
    if ((await older.count()) === 0) break;
    await older.click();
    await page.waitForLoadState();
  }
  expect(seen).toHaveLength(45);
  expect(new Set(seen).size).toBe(45);
  await page.getByRole("link", { name: "Plus récentes" }).click();
  await page.waitForLoadState();
  expect(await page.locator("li strong:last-child").first().innerText()).toBe(seen[20]);
});
