import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useBrowser } from "../browser.ts";
import { makeCompany, makeDatabase, startService, type TestService } from "../fixtures.ts";
import { operations } from "../reference.ts";

const openPage = useBrowser();
const phone = { width: 320, height: 568 };
const laptop = { width: 1_280, height: 800 };

let service: TestService;
let token = "";
let end = async () => {};

beforeAll(async () => {
  const made = await makeDatabase();
  service = await startService(made);
  ({ accessToken: token } = await makeCompany(made.database));
  end = async () => {
    await service.stop();
    await made.drop();
  };
});
afterAll(() => end());

async function openDocs(lang: string, options: object = {}, anchor = ""): Promise<Page> {
  const page = await openPage(options);
  await page.goto(`${service.url}/docs?lang=${lang}${anchor}`);
  return page;
}

/** Whatever the browser complains of: a policy that was broken, a script that failed. */
function complaintsOf(page: Page): string[] {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text());
  });
  page.on("pageerror", (error) => found.push(error.message));
  return found;
}

describe("accessibility", () => {
  test.for(["fr", "en"])(
    "in %s nothing is wider than 320 pixels, in type of twice the size either, and fingers hit what they mean",
    async (lang) => {
      const page = await openDocs(lang, { viewport: phone });
      const small = await page.evaluate<string[]>(`
        document.querySelector("nav details").open = true;
        [...document.querySelectorAll("header a, nav a, nav summary, fieldset label, button")]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 40)
          .map((one) => one.outerHTML)`);
      expect(small).toEqual([]);
      for (const value of ["curl", "ts", "php", "py"]) {
        await page.locator(`#in-${value}`).check({ force: true });
        expect(await page.evaluate("document.documentElement.scrollWidth"), value).toBe(320);
      }
      await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    },
  );

  test("with the keyboard: past the contents, to the samples, and what is focused is seen", async () => {
    const page = await openDocs("en", { viewport: laptop });
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#main$/);

    await page.locator("#in-curl").focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#createTransaction .ts").isVisible()).toBe(true);
    expect(await page.locator("#createTransaction .curl").isVisible()).toBe(false);

    // Nothing that is reached is hidden behind what stays at the top.
    await page.locator("#getBatch h3 a").focus();
    const top = await page.evaluate<number>(
      "document.activeElement.getBoundingClientRect().top - document.querySelector('header').getBoundingClientRect().bottom",
    );
    expect(top).toBeGreaterThanOrEqual(0);
  });
});

describe("without script", () => {
  test("everything is readable: contents, operations, samples of each language, diagrams", async () => {
    const page = await openDocs("fr", { javaScriptEnabled: false, viewport: phone });

    for (const { id } of operations) {
      expect(await page.locator(`nav a[href="#${id}"]`).count(), id).toBe(1);
      expect(await page.locator(`#${id} h3`).isVisible(), id).toBe(true);
    }
    expect(await page.locator("#createTransaction .curl").isVisible()).toBe(true);
    await page.locator("#in-py").check({ force: true });
    expect(await page.locator("#createTransaction .py").isVisible()).toBe(true);
    expect(await page.locator("#createTransaction .curl").isVisible()).toBe(false);
    expect(await page.locator(".states svg").count()).toBe(4);
    // What only a script could do is not offered.
    expect(await page.locator("button").count()).toBe(0);
    expect(await page.locator("#search").isVisible()).toBe(false);
    await page.locator('nav a[href="#refundCharge"]').click();
    expect(page.url()).toMatch(/#refundCharge$/);
  });
});

describe("with script", () => {
  test("nothing breaks the page's policy; a phone's contents are folded, a laptop's are not", async () => {
    const page = await openPage({ viewport: phone });
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/docs`);
    expect(await page.locator('nav a[href="#token"]').isVisible()).toBe(false);
    await page.setViewportSize(laptop);
    await page.locator('nav a[href="#token"]').waitFor({ state: "visible" });

    expect(complaints).toEqual([]);
  });

  test("the search finds by what stands in a part, whatever the accents, and Enter goes there", async () => {
    const page = await openDocs("fr", { viewport: laptop });
    const shown = () => page.locator("nav ul ul li:visible a").allTextContents();
    await page.keyboard.press("/");
    await page.keyboard.type("refund_exceeds_paid");
    expect(await shown()).toEqual([
      expect.stringContaining("Rembourser ce qui a été payé"),
      "refund_exceeds_paid",
    ]);
    expect(await page.locator("#found").textContent()).toMatch(/2$/);
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#refundCharge$/);

    await page.locator("#query").fill("requete depasse");
    expect((await shown()).length).toBeGreaterThan(0);
    await page.locator("#query").fill("zzzz");
    expect(await shown()).toEqual([]);
    await page.keyboard.press("Escape");
    expect((await shown()).length).toBeGreaterThan(operations.length);
  });

  test("a sample is copied as it stands, and the language of samples is remembered", async () => {
    const page = await openDocs("en", {
      viewport: laptop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.locator("#in-php").check({ force: true });
    await page.locator("#createCharge .php button").click();
    await page.locator("#createCharge .php button", { hasText: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(await page.locator("#createCharge .php pre").textContent());
    expect(copied).toContain("require 'Cauri.php';");

    await page.reload();
    expect(await page.locator("#in-php").isChecked()).toBe(true);
  });
});

describe("trying it", () => {
  const hostile = `<img src=x onerror="document.title='caught'">`;

  test("a transfer is sent from the page; what comes back is text, and the token stays in the tab", async () => {
    const page = await openPage({ viewport: laptop });
    const complaints = complaintsOf(page);
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url()));
    await page.goto(`${service.url}/docs?lang=en`);
    await page.locator("#createTransaction .try").click();
    const form = page.locator("#createTransaction form");
    const field = (name: string) => form.locator(`label:has(span:text-is("${name}"))`);
    await form.locator("input[type=password]").fill(token);
    await field("description").locator("input").fill(hostile);
    await field("idempotency-key").locator("input").fill("tried-1");
    await form.locator("button[type=submit]").click();
    const answer = form.locator("[role=status]");
    await answer.locator("pre").waitFor();

    expect(await answer.locator("p b").textContent()).toBe("201");
    expect(await answer.textContent()).toMatch(/\d ms/);
    expect(await answer.locator("dl").textContent()).toContain("x-correlation-id");
    const shown = JSON.parse((await answer.locator("pre").textContent()) ?? "") as object;
    expect(shown).toMatchObject({ amount: 25_000, status: "pending", description: hostile });
    expect(await page.locator("#createTransaction img").count()).toBe(0);
    expect(await page.title()).not.toBe("caught");
    expect(urls.filter((url) => url.includes(token))).toEqual([]);
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(token);
    expect(complaints).toEqual([]);

    // Kept for the next form, in this tab alone.
    await page.locator("#getBalance .try").click();
    expect(await page.locator("#getBalance input[type=password]").inputValue()).toBe(token);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/docs`);
    await other.locator("#getBalance .try").click();
    expect(await other.locator("#getBalance input[type=password]").inputValue()).toBe("");
  });

  test("an id in the address stays an id: dots are no way to other addresses", async () => {
    const page = await openDocs("fr", { viewport: laptop });
    await page.locator("#getTransaction .try").click();
    const form = page.locator("#getTransaction form");
    await form.locator("input[type=password]").fill(token);
    const id = form.locator('label:has(span:text-is("id *")) input');
    await id.fill("..");
    await form.locator("button[type=submit]").click();
    await form.locator("p.bad").waitFor();
    await id.fill("../../healthz?x=1#y");
    await form.locator("button[type=submit]").click();
    await form.locator("pre").waitFor();

    expect(await form.locator("pre").textContent()).toContain("transaction_not_found");
  });
});
