import { expect } from "vitest";
import { guides, guidesPath } from "../../src/reference/guides/guides.ts";
import { findBarriers, sizes } from "../accessibility.ts";
import { useBrowser } from "../browser.ts";
import { test } from "../fixtures.ts";

const openPage = useBrowser();

// Thousands of elements, each looked at, take their time: each language and each size once.
for (const [lang, size] of [
  ["fr", sizes[0]],
  ["en", sizes[1]],
] as const)
  test(`axe finds nothing in ${lang} on a screen of ${size.width}, light and dark, with a form open`, async ({
    service,
  }) => {
    // Only for the checker's own script.
    const page = await openPage({ bypassCSP: true });
    await page.goto(`${service.url}/docs?lang=${lang}`);
    await page.locator("#createBatch .try").click();
    expect(await findBarriers(page, "reference", [size])).toEqual([]);
  });

for (const [lang, size] of [
  ["fr", sizes[0]],
  ["en", sizes[1]],
] as const)
  test(`axe finds nothing in the guides in ${lang} on a screen of ${size.width}, light and dark, and nothing is wider than the screen`, async ({
    service,
  }) => {
    const page = await openPage({ bypassCSP: true });
    for (const path of [guidesPath, ...guides.map(({ name }) => `${guidesPath}/${name}`)]) {
      await page.goto(`${service.url}${path}?lang=${lang}`);
      expect(await findBarriers(page, path, [size])).toEqual([]);
      const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(wider), path).toBe(0);
    }
  });
