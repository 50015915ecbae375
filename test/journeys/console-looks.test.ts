import { mkdirSync } from "node:fs";
import { source as axeSource } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConsoleStates } from "../../scripts/console-states.ts";
import type { PageState } from "../../scripts/page-states.ts";
import { servePicture, setStage } from "../../scripts/stage.ts";
import { useBrowser } from "../browser.ts";
import { box, makeCompany, makeDatabase, startService } from "../fixtures.ts";
import { pictures } from "../pictures.ts";

const openPage = useBrowser();
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const sizes = [
  { width: 320, height: 640 },
  { width: 1_280, height: 800 },
];
/** Where pictures go, for whoever wants to look at them. */
const folder = process.env["CONSOLE_PICTURES"];

let states: readonly PageState[] = [];
let end = async () => {};

beforeAll(async () => {
  const made = await makeDatabase();
  const service = await startService(made);
  end = async () => {
    await service.stop();
    await made.drop();
  };
  const { id, accessToken } = await makeCompany(made.database, { name: "Teranga Services" });
  const host = await servePicture(pictures.png);
  const ground = { url: service.url, accessToken, database: made.database };
  const stage = await setStage(ground, host.url);
  host.close();
  states = await makeConsoleStates({ ...stage, companyId: id, box });
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
});
afterAll(() => end());

test("axe finds nothing on any screen, light and dark, at 320 and 1280 pixels, and none is wider", async () => {
  // Only for the checker's own script.
  const page = await openPage({ bypassCSP: true });
  const found: string[] = [];
  for (const state of states) {
    const { name } = state;
    await state.open(page, "fr");
    await page.evaluate(axeSource);
    for (const viewport of sizes) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const where = `${name}-${colorScheme}-${viewport.width}`;
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${where}.png`, fullPage: true });
        found.push(...(await judge(page, viewport.width)).map((fault) => `${where}: ${fault}`));
      }
    }
  }
  expect(found).toEqual([]);
});

test("in English too, and nothing is wider than a small phone", async () => {
  const page = await openPage({ bypassCSP: true, viewport: { width: 320, height: 640 } });
  const found: string[] = [];
  for (const state of states) {
    const { name } = state;
    await state.open(page, "en");
    await page.evaluate(axeSource);
    expect(await page.evaluate("document.documentElement.lang"), name).toBe("en");
    found.push(...(await judge(page, 320)).map((fault) => `${name}: ${fault}`));
  }
  expect(found).toEqual([]);
});

/** What reaches beyond the card, row or page that it is in. */
const outside = `[...document.querySelectorAll("main *:not(svg *)")].flatMap((part) => {
  if (part.closest("thead, .unseen, option") !== null) return [];
  const around = part.parentElement.closest("tr, .card, main").getBoundingClientRect();
  return part.getBoundingClientRect().right > around.right + 1 ? ["sticks out: " + part.outerHTML.slice(0, 200)] : [];
})`;

/** What is wrong with the page as it is shown now. */
async function judge(page: Page, width: number): Promise<string[]> {
  const options = { runOnly: tags, resultTypes: ["violations"] };
  const violations = await page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join(" ")))`,
  );
  const stickingOut = await page.evaluate<string[]>(outside);
  const shown = await page.evaluate<number>("document.documentElement.scrollWidth");
  return [...violations, ...stickingOut, ...(shown > width ? [`${shown} pixels wide`] : [])];
}
