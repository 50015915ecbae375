import type { Page, Route } from "playwright-core";
import { describe, expect } from "vitest";
import { useBrowser } from "../browser.ts";
import { test } from "../fixtures.ts";
import { caught, elsewhere, expectNothingRan, hostile, watch } from "./watched-page.ts";

const openPage = useBrowser();

async function fill(page: Page, operation: string, token: string) {
  await page.locator(`#${operation} .try`).first().click();
  const form = page.locator(`#${operation} form`);
  await form.locator("input[type=password]").fill(token);
  const output = form.locator("[role=status]");
  const submit = async () => {
    await form.locator("button[type=submit]").click();
    await output.locator("p").first().waitFor();
    return (await output.textContent()) ?? "";
  };
  return { form, output, submit };
}

describe("what strangers put into the page's address or this browser's storage", () => {
  test("runs nothing, fills in no form and sends nothing", async ({ service }) => {
    const { page, asked } = await watch(openPage);
    await page.goto(`${service.url}/docs?lang=en`);
    // Where the page once kept a token, and where it keeps the language of samples.
    const stored = JSON.stringify([hostile, "x\r\nx-evil: 1", "at_planted"]);
    await page.evaluate(`for (const value of ${stored})
      for (const name of ["cauri-docs-token", "cauri-docs-sample", "token"])
        for (const storage of [localStorage, sessionStorage]) storage.setItem(name, value)`);
    const encoded = encodeURIComponent(hostile);
    for (const address of [
      `?lang=en&token=at_planted&id=${encoded}#createTransaction`,
      `?lang=${encoded}`,
      `?lang=en&base=${elsewhere}&operations=${encoded}`,
      `?lang=en#${encoded}`,
      `?lang=en#trials`,
      `?lang=en#:~:text=${encoded}`,
    ]) {
      await page.goto("about:blank");
      asked.length = 0;
      await page.goto(`${service.url}/docs${address}`);
      await page.locator("#getBalance .try").click();

      expect(await page.locator("#getBalance input[type=password]").inputValue()).toBe("");
      expect(await page.locator("form.trial").count(), address).toBe(1);
      expect(await page.content()).not.toContain("planted");
      expect(asked).toHaveLength(1);
      await expectNothingRan(page, asked, service);
    }
  });
});

describe("a token", () => {
  test("is gone with the page: nothing that the browser keeps has it, and no other page of this address finds it", async ({
    service,
    company,
  }) => {
    const { page, asked } = await watch(openPage);
    await page.goto(`${service.url}/docs?lang=en`);
    const { submit } = await fill(page, "getBalance", company.accessToken);
    expect(await submit()).toContain("200");

    const kept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, name])`;
    expect(await page.evaluate(kept)).not.toContain(company.accessToken);
    expect(await page.context().storageState().then(JSON.stringify)).not.toContain(
      company.accessToken,
    );
    for (const path of ["/docs?lang=fr", "/", "/console/login"]) {
      await page.goto(service.url + path);
      expect(await page.evaluate(kept), path).not.toContain(company.accessToken);
    }
    expect(asked.filter((one) => one.includes(company.accessToken))).toEqual([]);
  });

  test("goes to this service alone, without the console's cookies, whatever is typed into the other fields", async ({
    service,
    company,
  }) => {
    const { page, asked } = await watch(openPage);
    const { hostname: domain } = new URL(service.url);
    const cookie = { name: "cauri_console", value: "signed-in", domain, path: "/" };
    await page.context().addCookies([cookie]);
    const sent: Record<string, string>[] = [];
    page.on("request", async (request) => {
      if (request.url().includes("/v1/")) sent.push(await request.allHeaders());
    });
    await page.goto(`${service.url}/docs?lang=en`);
    const { form, submit } = await fill(page, "getTransaction", company.accessToken);
    const id = form.locator('label:has(span:text-is("id *")) input');
    const wayOut = [
      "//elsewhere.example/x",
      "@elsewhere.example",
      "/../../..//elsewhere.example",
      "\\\\elsewhere.example",
      "%2e%2e%2f%2e%2e",
      "http://elsewhere.example/",
      "$& $` $' {id}",
      hostile,
    ];
    for (const typed of wayOut) {
      await id.fill(typed);
      await submit();
    }

    const transactions = `GET ${service.url}/v1/transactions/`;
    const calls = asked.filter((one) => !one.includes("/docs"));
    expect(calls).toHaveLength(wayOut.length);
    for (const one of calls) {
      expect(one.startsWith(transactions)).toBe(true);
      expect(one.slice(transactions.length)).not.toMatch(/[/?#\\@]/);
    }
    expect(sent.map((headers) => headers["cookie"])).toEqual(wayOut.map(() => undefined));
    expect(new Set(sent.map((headers) => headers["authorization"]))).toEqual(
      new Set([`Bearer ${company.accessToken}`]),
    );
    await expectNothingRan(page, asked, service);
  });

  test("is not carried along where an answer leads elsewhere, and is not in what a failed request shows", async ({
    service,
    company,
  }) => {
    const { page, asked } = await watch(openPage);
    await page.goto(`${service.url}/docs?lang=en`);
    const lead = (route: Route) =>
      route.fulfill({ status: 307, headers: { location: `${elsewhere}/v1/balance` } });
    await page.route("**/v1/balance", lead);
    const { submit } = await fill(page, "getBalance", company.accessToken);

    const shown = await submit();
    expect(shown).toContain("No answer");
    expect(shown).not.toContain(company.accessToken);
    expect(asked.filter((one) => one.includes("elsewhere"))).toEqual([]);
  });
});

test("without a token, with a wrong one or with one that is no header, the service's refusal is shown as text, and nothing is done", async ({
  service,
}) => {
  const { page, asked } = await watch(openPage);
  await page.goto(`${service.url}/docs?lang=en`);
  const { form, submit } = await fill(page, "createTransaction", "");
  for (const [token, shown] of [
    ["", "_token"],
    ["   ", "_token"],
    ["at_wrong", "invalid_token"],
    ["Bearer at_wrong", "invalid_token"],
    ["x".repeat(5_000), "_token"],
    ["jeton\u00e9", "_token"],
    ["\u202e\u{1f511}", "No answer"],
    [hostile, "_token"],
  ]) {
    await form.locator("input[type=password]").fill(token ?? "");
    const text = await submit();
    expect([text.includes("201"), text], token).toEqual([
      false,
      expect.stringContaining(shown ?? ""),
    ]);
  }
  await expectNothingRan(page, asked, service);
});

test("one click is one request, and a second one before the answer is none", async ({
  service,
  company,
}) => {
  const { page, asked } = await watch(openPage);
  await page.goto(`${service.url}/docs?lang=en`);
  const { form, output } = await fill(page, "createTransaction", company.accessToken);
  await page.route("**/v1/transactions", async (route) => {
    await page.waitForTimeout(300);
    await route.continue();
  });
  await form.locator("button[type=submit]").dblclick();
  await form.locator("input").first().press("Enter");
  await output.locator("pre").waitFor();

  expect(asked.filter((one) => one.startsWith("POST"))).toHaveLength(1);
});

test("an answer of any kind is text: markup, a script, and what is no JSON", async ({
  service,
  company,
}) => {
  const { page, asked } = await watch(openPage);
  await page.goto(`${service.url}/docs?lang=en`);
  let answer = { contentType: "", body: "" };
  await page.route("**/v1/balance", (route) =>
    route.fulfill({ ...answer, headers: { "x-correlation-id": hostile } }),
  );
  const { output, submit } = await fill(page, "getBalance", company.accessToken);
  for (const [contentType = "", body = ""] of [
    ["text/html", `<!doctype html>${hostile}`],
    ["application/json", JSON.stringify({ [hostile]: hostile })],
    ["application/json", `{"a":${hostile}`],
    [
      "image/svg+xml",
      `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='${caught}'"/>`,
    ],
    ["text/javascript", `document.title='${caught}'`],
    ["text/plain", "x".repeat(1_000_000)],
  ]) {
    answer = { contentType, body };
    expect((await submit()).length).toBeLessThan(25_000);
    expect(await output.locator("pre").count()).toBe(1);
  }
  await expectNothingRan(page, asked, service);
});
