import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCharge, makePageStates, type PageState } from "../../scripts/page-states.ts";
import { type Stage, servePicture, setStage } from "../../scripts/stage.ts";
import { findBarriers, findBarriersOfWords } from "../accessibility.ts";
import { useBrowser } from "../browser.ts";
import { makeCompany, makeDatabase, startService } from "../fixtures.ts";
import { pictures } from "../pictures.ts";

const openPage = useBrowser();
const languages = ["fr", "en"];
const weightMax = 14 * 1_024;
/** As heavy as a logo may be and still be shown, and as hard to compress. */
const logo = Buffer.concat([pictures.png, randomBytes(8 * 1_024 - pictures.png.length)]);

const phone = { width: 320, height: 568 };

/** How wide a page is, and what a finger has to hit and is not 44 pixels high. */
const readTargets = `[
  document.documentElement.scrollWidth,
  [...document.querySelectorAll("a, button, input:not([type=hidden])")]
    .filter((one) => one.checkVisibility() && !one.closest("p:not(footer p)"))
    .filter((one) => one.getBoundingClientRect().height < 44)
    .map((one) => one.outerHTML),
]`;

interface LargeType {
  readonly width: number;
  readonly amounts: number;
  /** Amounts that go on in the next line inside a group of digits. */
  readonly broken: readonly string[];
}

/** Makes type twice as large, for good: this comes last. */
const readLargeType = `(() => {
  document.documentElement.style.fontSize = "200%";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = { width: document.documentElement.scrollWidth, amounts: 0, broken: [] };
  const amount = /XOF|F\u00a0CFA|^[\u2212+]?\\d{1,3}[\u00a0,]?$/;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("script, style, pre") !== null) continue;
    if (!text.parentElement.checkVisibility() || !amount.test(text.data)) continue;
    seen.amounts += 1;
    for (const { index, 0: digits } of text.data.matchAll(/\\d+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + digits.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) seen.broken.push(text.data + " in " + text.parentElement.outerHTML);
    }
  }
  return seen;
})()`;

let stage: Stage;
let states: readonly PageState[] = [];
let end = async () => {};

beforeAll(async () => {
  const made = await makeDatabase();
  const service = await startService(made);
  const { accessToken } = await makeCompany(made.database, { name: "Teranga" });
  end = async () => {
    await service.stop();
    await made.drop();
  };
  const host = await servePicture(logo);
  const ground = { url: service.url, accessToken, database: made.database };
  stage = await setStage(ground, host.url);
  states = await makePageStates(stage);
  host.close();
});
afterAll(() => end());

describe("accessibility", () => {
  test.for(languages)(
    "axe finds nothing on any page in %s, light and dark, at 320 and 1280 pixels",
    async (lang) => {
      // Only for the checker's own script; the pages' policy is tested elsewhere.
      const page = await openPage({ bypassCSP: true });
      const found: string[] = [];
      for (const state of states) {
        await state.open(page, lang);
        // Colours are the same in every language.
        const find = lang === languages[0] ? findBarriers : findBarriersOfWords;
        found.push(...(await find(page, state.name)));
      }
      expect(states.length).toBeGreaterThan(15);
      expect(found).toEqual([]);
    },
  );

  test("the keyboard alone pays: every stop is seen, in the order of the page", async () => {
    const page = await openPage();
    await page.goto(`${stage.url}${await makeCharge(stage, "by keyboard")}?lang=en`);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Your phone number");
    await page.keyboard.type("+225 07 00 00 00 00");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Pay XOF 25,000");
    expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe(
      "solid",
    );
    await page.keyboard.press("Enter");
    await page.locator("#code").waitFor();
    // The field is waiting for the code already.
    expect(await focused(page)).toBe("Six-digit code");
    await page.keyboard.type(await page.locator(".code-test b").innerText());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    const stops: string[] = [];
    for (let stop = 0; stop < 3; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual(["Back to Boutique Awa", "Print the receipt", "Français"]);
  });
});

describe("as they are served", () => {
  // Opening a page takes longer than looking at it, so one visit has to do for all of this.
  test("every page is 14 KB in all, two requests to one origin, 1 KB of script; fingers hit what they mean; and type of twice the size breaks no amount and is no wider", async () => {
    const page = await openPage({ viewport: phone });
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    let requests: string[] = [];
    let bytes = 0;
    session.on("Network.requestWillBeSent", ({ request: { url } }) => {
      if (!url.startsWith("data:")) requests.push(url);
    });
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));

    const heaviest = { withHeaders: 0, alone: 0 };
    let amounts = 0;
    for (const state of states) {
      for (const lang of languages) {
        // Every page is looked at as by somebody who comes for the first time.
        await session.send("Network.clearBrowserCache");
        [requests, bytes] = [[], 0];
        await state.open(page, lang);
        const where = `${state.name} ${lang}`;
        const html = await page.content();
        const [width, small] = await page.evaluate<[number, string[]]>(readTargets);
        expect(width, `${where}: width`).toBe(phone.width);
        expect(small, `${where}: lower than 44 pixels`).toEqual([]);
        const large = await page.evaluate<LargeType>(readLargeType);
        expect(large.broken, `${where}: broken in large type`).toEqual([]);
        expect(large.width, `${where}: width in large type`).toBe(phone.width);
        amounts += large.amounts;
        const script = /<script[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "";
        const hasLogo = html.includes("<img ");
        const alone = gzipSync(html).length + (hasLogo ? logo.length : 0);
        expect(alone, where).toBeLessThanOrEqual(weightMax);
        if (state.isAnswer === true) continue;
        expect(requests.length, `${where}: ${requests.join(" ")}`).toBeLessThanOrEqual(2);
        expect(new Set(requests.map((url) => new URL(url).origin)).size).toBe(1);
        expect(Buffer.byteLength(script)).toBeLessThanOrEqual(1_024);
        // What went over the wire, headers included.
        expect(bytes, where).toBeLessThanOrEqual(weightMax);
        heaviest.withHeaders = Math.max(heaviest.withHeaders, bytes);
        heaviest.alone = Math.max(heaviest.alone, alone);
      }
    }
    // The logo was there, or nothing was weighed.
    expect(heaviest.alone).toBeGreaterThan(logo.length);
    expect(amounts).toBeGreaterThan(100);
  });

  test("the QR is for those with a mouse and room; the receipt prints without its buttons", async () => {
    const page = await openPage({ viewport: { width: 1_280, height: 800 } });
    await stateOf("pay").open(page, "fr");
    const qr = page.getByRole("img", { name: "Code QR qui mène à cette page" });
    expect(await qr.isVisible()).toBe(true);
    await page.setViewportSize(phone);
    expect(await qr.isVisible()).toBe(false);

    await stateOf("paid").open(page, "fr");
    const back = page.getByRole("link", { name: "Retour à Boutique Awa" });
    expect(await back.isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await back.isVisible()).toBe(false);
    expect(await page.getByRole("heading", { name: "Paiement effectué" }).isVisible()).toBe(true);
    // Whoever holds the paper knows whose service it was, and that nothing was paid in earnest.
    for (const said of ["Mode test : pas d’argent réel", "Service de paiement : Cauri (test)"])
      expect(await page.getByText(said).isVisible(), said).toBe(true);
    expect(await page.getByText("English").isVisible()).toBe(false);
  });

  test("the icon is within the page's own policy", async () => {
    const page = await openPage();
    await stateOf("pay").open(page, "fr");
    // A browser without a window asks for no icon, so it is asked for as a picture: the same rule decides.
    const blocked = await page.evaluate<string | undefined>(`new Promise((resolve) => {
      addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
      const image = new Image();
      image.onload = () => resolve();
      image.onerror = () => setTimeout(resolve, 0);
      image.src = document.querySelector("link[rel=icon]").href;
    })`);
    expect(blocked).toBeUndefined();
  });
});

describe("asking for another code", () => {
  test("with script the button counts down and can be pressed when the wait is over", async () => {
    const page = await openPage();
    await page.clock.install();
    await stateOf("code-too-soon").open(page, "fr");
    const button = page.getByRole("button", { name: /^Renvoyer un code/ });
    expect(await button.isDisabled()).toBe(true);
    expect(await button.innerText()).toMatch(/^Renvoyer un code \(\d\d min\)$/);
    expect(await page.getByText("Un nouveau code est possible dans").isVisible()).toBe(false);

    await page.clock.fastForward("02:00:00");
    expect(await button.innerText()).toBe("Renvoyer un code");
    expect(await button.isEnabled()).toBe(true);
  });

  test("without script the wait is said beside the button", async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await stateOf("code-too-soon").open(page, "fr");
    const section = page.locator(".rule", { hasText: "Je n’ai rien reçu" });
    expect(await section.innerText()).toMatch(/Un nouveau code est possible dans \d\d\sminutes\./);
    expect(await page.getByRole("status").innerText()).toMatch(/Un code vient d’être envoyé\./);
  });
});

function stateOf(name: string): PageState {
  const state = states.find((one) => one.name === name);
  if (state === undefined) throw new Error(`no state ${name}`);
  return state;
}

/** What a screen reader calls the thing that has the focus. */
async function focused(page: Page): Promise<string> {
  const name = await page.evaluate<string>(`(() => {
    const one = document.activeElement;
    return one.labels?.[0]?.textContent ?? one.textContent;
  })()`);
  return name.replaceAll("\u00a0", " ");
}
