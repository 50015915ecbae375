import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConsoleStates } from "../../scripts/console-states.ts";
import type { PageState } from "../../scripts/page-states.ts";
import { servePicture, setStage } from "../../scripts/stage.ts";
import { findBarriers, findBarriersOfWords, sizes } from "../accessibility.ts";
import { useBrowser } from "../browser.ts";
import { box, makeCompany, makeDatabase, startService } from "../fixtures.ts";
import { pictures } from "../pictures.ts";

const openPage = useBrowser();
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
});
afterAll(() => end());

test("axe finds nothing on any screen, light and dark, at 320 and 1280 pixels, and none is wider", async () => {
  // Only for the checker's own script.
  const page = await openPage({ bypassCSP: true });
  const found: string[] = [];
  for (const state of states) {
    const { name } = state;
    await state.open(page, "fr");
    found.push(...(await findBarriers(page, name, sizes, outside)));
  }
  expect(found).toEqual([]);
});

test("in English too, on a small phone", async () => {
  const page = await openPage({ bypassCSP: true });
  const [phone] = sizes;
  const found: string[] = [];
  for (const state of states) {
    const { name } = state;
    await state.open(page, "en");
    expect(await page.evaluate("document.documentElement.lang"), name).toBe("en");
    found.push(...(await findBarriersOfWords(page, name, [phone], outside)));
  }
  expect(found).toEqual([]);
});

/** What reaches beyond the card, row or page that it is in. */
const outside = `[...document.querySelectorAll("main *:not(svg *)")].flatMap((part) => {
  if (part.closest("thead, .unseen, option") !== null) return [];
  const around = part.parentElement.closest("tr, .card, main").getBoundingClientRect();
  return part.getBoundingClientRect().right > around.right + 1 ? ["sticks out: " + part.outerHTML.slice(0, 200)] : [];
})`;
