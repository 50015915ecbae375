import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { bringAxe } from "./axe.ts";

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

/** An expression of what else is wrong with a page at its present size. */
const nothingElse = "[]";

/**
 * Everything that axe finds wrong with the page as it stands, whatever is wider than the screen, and what else is asked
 * for: at each size, in light and in dark. The page has to be opened with `bypassCSP`, for the checker's own script.
 */
export async function findBarriers(
  page: Page,
  name: string,
  at: readonly Size[] = sizes,
  alsoFind = nothingElse,
): Promise<string[]> {
  const found: string[] = [];
  await bringAxe(page);
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  for (const [index, size] of fromPresent(page, at).entries()) {
    await page.setViewportSize(size);
    // Each change is drawn anew, so the second size begins with what the first ended in.
    for (const colorScheme of index % 2 === 0 ? lightFirst : darkFirst) {
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
    found.push(...(await findFaults(page, name, size, alsoFind)));
  }
  return found;
}

/** The same of a page whose colours have been looked at: in another language, say. */
export async function findBarriersOfWords(
  page: Page,
  name: string,
  at: readonly Size[] = sizes,
  alsoFind = nothingElse,
): Promise<string[]> {
  const found: string[] = [];
  await bringAxe(page);
  for (const size of fromPresent(page, at)) {
    await page.setViewportSize(size);
    const violations = await runAxe(page, anythingButColours);
    found.push(...violations.map((violation) => `${name} ${size.width}: ${violation}`));
    found.push(...(await findFaults(page, name, size, alsoFind)));
  }
  return found;
}

const lightFirst = ["light", "dark"] as const;
const darkFirst = ["dark", "light"] as const;

/** The size that the page has comes first: a page that is opened after another one is not laid out for nothing. */
function fromPresent(page: Page, at: readonly Size[]): readonly Size[] {
  return page.viewportSize()?.width === at.at(-1)?.width ? at.toReversed() : at;
}

async function findFaults(
  page: Page,
  name: string,
  size: Size,
  alsoFind: string,
): Promise<string[]> {
  const [width, others] = await page.evaluate<[number, string[]]>(
    `[document.documentElement.scrollWidth, ${alsoFind}]`,
  );
  return [
    ...(width > size.width ? [`${name}: ${width} pixels wide on ${size.width}`] : []),
    ...others.map((fault) => `${name} ${size.width}: ${fault}`),
  ];
}

async function runAxe(page: Page, what: object): Promise<string[]> {
  const options = { ...what, resultTypes: ["violations"], selectors: false };
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.slice(0, 5).map(({ html }) => html.slice(0, 200)).join(" | ")))`);
}
