import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished } from "vitest";
import type { OpenApiDocument } from "../../src/reference/openapi-document.ts";
import { preparePage } from "../../src/reference/prepare-page.tsx";
import { useBrowser } from "../browser.ts";
import { test } from "../fixtures.ts";
import { readDocument } from "../reference.ts";
import { caught, elsewhere, expectNothingRan, hostile, watch } from "./watched-page.ts";

const openPage = useBrowser();

test("every text of the document is text on the page: names, examples, choices, sentences and addresses", async ({
  service,
}) => {
  const { page, asked } = await watch(openPage);
  const settings = { brand: "cauri", basePath: "", testMsisdns: { success: "1", failure: "2" } };
  const { html, policy } = preparePage(spoil(readDocument()), "en", settings);
  // The policy would stop what got through; so it is looked for with the policy and without.
  for (const headers of [{ "content-security-policy": policy }, {}]) {
    const answer = { contentType: "text/html; charset=utf-8", headers, body: html.toString() };
    await page.route("**/docs", (route) => route.fulfill(answer));
    await page.goto(`${service.url}/docs`);
    await page.locator("#createTransaction .try").first().click();

    expect(await page.locator("#createTransaction form").count()).toBe(1);
    expect(await page.locator("main").textContent()).toContain("</script></style>");
    await expectNothingRan(page, asked, service);
    await page.unroute("**/docs");
  }
});

describe("the policy, should a script get in all the same,", () => {
  test("lets it load, send, frame and submit nothing elsewhere, and no markup be made of text", async ({
    service,
  }) => {
    const { page, reached } = await watch(openPage);
    await page.goto(`${service.url}/docs?lang=en`);
    const results = await page.evaluate(`(async () => {
      const far = ${JSON.stringify(elsewhere)};
      const tried = async (what) => { try { return String(await what()) } catch { return "refused" } };
      const append = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
      append("img", { src: far + "/img" });
      append("iframe", { src: far + "/frame" });
      append("link", { rel: "stylesheet", href: far + "/style" });
      append("link", { rel: "prefetch", href: far + "/prefetch" });
      append("base", { href: far });
      const form = Object.assign(document.createElement("form"), { action: far + "/form", method: "post" });
      document.body.append(form);
      form.submit();
      navigator.sendBeacon(far + "/beacon", "x");
      const made = [
        await tried(() => fetch(far + "/fetch").then(({ status }) => status)),
        await tried(() => append("script", { src: far + "/script" })),
        await tried(() => append("script", { textContent: "document.title = 'caught'" })),
        await tried(() => { document.body.innerHTML = "<p>x"; }),
        await tried(() => new WebSocket(far.replace("http", "ws"))),
      ];
      await new Promise((resolve) => setTimeout(resolve, 500));
      return made;
    })()`);

    // A socket is refused after it was made.
    expect(results).toEqual([...Array(4).fill("refused"), "[object WebSocket]"]);
    expect(await page.title()).not.toBe(caught);
    expect(reached).toEqual([]);
    expect(page.url()).toContain(service.url);
  });
});

test("another site gets neither the page, nor the document, nor an answer of the API, nor a frame of any", async ({
  service,
  company,
}) => {
  const other = createServer((_request, response) =>
    response.end("<!doctype html><title>other</title>"),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const page = await openPage();
  await page.goto(`http://localhost:${port}/`);

  const ask = `async (path, init) => {
    try { return String((await fetch(path, init)).status) } catch { return "refused" }
  }`;
  for (const path of ["/docs", "/openapi.json", "/v1/balance", "/v1/transactions"])
    for (const init of [
      {},
      { credentials: "include" },
      { headers: { authorization: `Bearer ${company.accessToken}` } },
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    ])
      expect(
        await page.evaluate(
          `(${ask})(${JSON.stringify(service.url + path)}, ${JSON.stringify(init)})`,
        ),
        path,
      ).toBe("refused");

  const framed = await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { let text; try { text = frame.contentDocument?.title ?? "closed" } catch { text = "closed" } resolve(text) };
    frame.src = ${JSON.stringify(`${service.url}/docs`)};
    document.body.append(frame);
  })`);
  expect(framed).toBe("closed");
  // What the browser shows in its place has words of its own.
  expect(await page.frameLocator("iframe").locator("body").textContent()).not.toContain("Cauri");
});

/** The document with hostile text wherever it has text that a page shows. */
function spoil(document: OpenApiDocument): OpenApiDocument {
  const shown = new Set([
    "summary",
    "description",
    "title",
    "example",
    "examples",
    "enum",
    "pattern",
    "version",
  ]);
  const spoilText = (value: unknown): unknown => {
    if (typeof value === "string") return `${value} ${hostile}`;
    if (Array.isArray(value)) return value.map(spoilText);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoilText(one)]));
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const isText =
          shown.has(name) && (typeof one !== "object" || Array.isArray(one) || name === "example");
        return [name, isText ? spoilText(one) : walk(one)];
      }),
    );
  };
  return walk(document) as OpenApiDocument;
}
