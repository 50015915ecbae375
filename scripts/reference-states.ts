import type { Page } from "playwright-core";
import type { PageState } from "./page-states.ts";

/** What there is to look at on the reference page. */
export function referenceStates(url: string, token: string): PageState[] {
  const at =
    (anchor: string, then: (page: Page) => Promise<void> = async () => {}) =>
    async (page: Page, lang: string) => {
      // The same address with another anchor would not be loaded anew.
      await page.goto("about:blank");
      await page.goto(`${url}/docs?lang=${lang}${anchor}`);
      await then(page);
    };
  return [
    { name: "docs", open: at("") },
    { name: "docs-contents", open: at("", (page) => search(page, "refund")) },
    { name: "docs-operation", open: at("#createTransaction") },
    {
      name: "docs-answers",
      open: at("#refundCharge", (page) => scrollTo(page, "#refundCharge .answers")),
    },
    { name: "docs-tried", open: at("#getBalance", (page) => tryBalance(page, token)) },
    { name: "docs-verify", open: at("#verify") },
    { name: "docs-states", open: at("#s-charge") },
    { name: "docs-object", open: at("#o-Charge") },
    { name: "docs-errors", open: at("#errors") },
    { name: "docs-test-event", open: at("#t-webhooks-test") },
    ...["", "/first-transfer", "/refunds"].map((guide) => ({
      name: `docs-guides${guide.replace("/", "-")}`,
      open: async (page: Page, lang: string) =>
        void (await page.goto(`${url}/docs/guides${guide}?lang=${lang}`)),
    })),
  ];
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.locator("#query").fill(text);
}

async function scrollTo(page: Page, selector: string): Promise<void> {
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView()`);
}

async function tryBalance(page: Page, token: string): Promise<void> {
  await page.locator("#getBalance .try").click();
  await page.locator("#getBalance input[type=password]").fill(token);
  await page.locator("#getBalance button[type=submit]").click();
  await page.locator("#getBalance form pre").waitFor();
}
