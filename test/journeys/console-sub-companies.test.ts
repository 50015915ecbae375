import type { Page } from "playwright-core";
import { expect } from "vitest";
import { subCompanyWords } from "../../src/console/words/sub-companies.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { test } from "../fixtures.ts";
import { keepLogo } from "../logo-host.ts";
import { pictures } from "../pictures.ts";
import { makeSubCompany } from "../statements.ts";

const open = useBrowser();
const tabsMax = 60;

/** Goes on with the tab key until this has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate<string>("document.activeElement.textContent.trim()");
    if (here === name) return;
  }
  throw new Error(`${name} cannot be reached by keyboard`);
}

test("an owner sees what payers see and switches a sub-company off and on, by keyboard alone", async ({
  db,
  service,
  company,
}) => {
  const words = subCompanyWords.en;
  await makeSubCompany(service, company, "Boutique Awa");
  await keepLogo(db, "https://shop.example/logo.png", pictures.png);
  const page = await open({ locale: "en-GB", viewport: { width: 1_280, height: 800 } });
  await keepSignedIn(page.context(), service.url, await signIn(db, company.id, "owner"));

  await page.goto(`${service.url}/console/team`);
  await tabTo(page, words.title);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: words.title }).waitFor();
  await tabTo(page, "Boutique Awa");
  await page.keyboard.press("Enter");
  await page.getByText(words.asks).waitFor();
  // Our own copy: the browser has drawn it.
  await page.waitForFunction(
    "[...document.images].length > 0 && [...document.images].every((one) => one.naturalWidth > 0)",
  );

  await tabTo(page, words.disable);
  await page.keyboard.press("Enter");
  await page.getByText(words.disabled("Boutique Awa")).waitFor();
  await tabTo(page, words.enable);
  await page.keyboard.press("Enter");
  await page.getByText(words.enabled("Boutique Awa")).waitFor();
  expect(await page.textContent("main")).toContain(words.states.active);
});
