import { mkdirSync } from "node:fs";
import { source as axeSource } from "axe-core";
import type { Page } from "playwright-core";

/** The smallest phone that is served, and a laptop. */
export const sizes = [
  { width: 320, height: 568 },
  { width: 1_280, height: 800 },
] as const;

type Size = (typeof sizes)[number];

const allRules = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
} as const;
const colours = { type: "rule", values: ["color-contrast"] } as const;
const everything = { runOnly: allRules };
const onlyColours = { runOnly: colours };
const anythingButColours = { runOnly: allRules, rules: { "color-contrast": { enabled: false } } };

/** A folder for pictures of everything that is looked at, for whoever wants to see it. */
const pictures = process.env["PAGE_PICTURES"];

/**
 * Everything that axe finds wrong with the page as it stands, and whatever is wider than the screen: at each size, in light
 * and in dark. The page has to be opened with `bypassCSP`, for the checker's own script.
 */
export async function findBarriers(
  page: Page,
  name: string,
  at: readonly Size[] = sizes,
): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axeSource);
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  for (const size of at) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const where = `${name} ${colorScheme} ${size.width}`;
      if (pictures !== undefined) {
        const path = `${pictures}/${where.replaceAll(" ", "-")}.png`;
        await page.screenshot({ path, fullPage: true });
      }
      // A page in the dark is the same but for its colours.
      const violations = await runAxe(page, colorScheme === "light" ? everything : onlyColours);
      found.push(...violations.map((violation) => `${where}: ${violation}`));
    }
    found.push(...(await findWidth(page, name, size)));
  }
  return found;
}

/** The same of a page whose colours have been looked at: in another language, say. */
export async function findBarriersOfWords(
  page: Page,
  name: string,
  at: readonly Size[] = sizes,
): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axeSource);
  for (const size of at) {
    await page.setViewportSize(size);
    const violations = await runAxe(page, anythingButColours);
    found.push(...violations.map((violation) => `${name} ${size.width}: ${violation}`));
    found.push(...(await findWidth(page, name, size)));
  }
  return found;
}

async function findWidth(page: Page, name: string, size: Size): Promise<string[]> {
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  return width > size.width ? [`${name}: ${width} pixels wide on ${size.width}`] : [];
}

async function runAxe(page: Page, what: object): Promise<string[]> {
  const options = { ...what, resultTypes: ["violations"], selectors: false };
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.slice(0, 5).map(({ html }) => html.slice(0, 200)).join(" | ")))`);
}
