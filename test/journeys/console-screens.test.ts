import { source as axeSource } from "axe-core";
import { expect } from "vitest";
import { setAloneMax } from "../../src/approvals/rules.ts";
import { operator } from "../../src/trail/actor.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { makeCustomer, test, untilSettled } from "../fixtures.ts";
import { send } from "../receiver.ts";
import { makeSubCompany } from "../statements.ts";

const open = useBrowser();
const known = "2250700000000";
const stranger = "2250733333333";
const options = { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] };
/** Where pictures go, for whoever wants to look at them. */
const pictures = process.env["CONSOLE_PICTURES"];

test("money, transfers and statements: axe finds nothing, nothing is wider than the screen, and a transfer is sent without script", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  await setAloneMax(db.database, company.id, 100_000, operator("a test"));
  await makeSubCompany(service, company, "Boutique Awa");
  await send(service, company, "salaire-2026-11-awa", { msisdn: known, amount: 125_000 });
  const failed = await send(service, company, "salaire-2026-11-ibra", {
    msisdn: stranger,
    amount: 60_000,
  });
  await untilSettled(db.database);
  const who = await signIn(db, company.id, "preparer");
  const paths = {
    home: "/console?days=7",
    transfers: "/console/transfers?min=5000",
    transfer: `/console/transfers/${failed.id}`,
    new: "/console/transfers/new",
    statement: "/console/statements",
    wrong: "/console/transfers?from=2026-02-31",
  };
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 1280]) {
      const page = await open({ colorScheme, viewport: { width, height: 900 } });
      await keepSignedIn(page.context(), service.url, who);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(service.url + path);
        const what = `${name} ${colorScheme} ${width}`;
        if (pictures !== undefined)
          await page.screenshot({
            path: `${pictures}/${name}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
        for (const summary of await page.locator("summary").all()) await summary.click();
        await page.evaluate(axeSource);
        const found = await page.evaluate<string[]>(
          `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(
            ({ id, nodes }) => nodes.map((node) => id + " " + node.html)))`,
        );
        expect(found, what).toEqual([]);
        expect(
          await page.evaluate<number>("document.documentElement.scrollWidth"),
          what,
        ).toBeLessThanOrEqual(width);
      }
      await page.context().close();
    }

  const page = await open({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
  await keepSignedIn(page.context(), service.url, who);
  await page.goto(`${service.url}/console/transfers/new?redo=${failed.id}`);
  await page.getByLabel("Numéro du bénéficiaire").fill(`+${known}`);
  await page.getByRole("button", { name: "Vérifier" }).click();
  expect(await page.textContent("main")).toContain("soixante mille francs CFA");
  await page.getByRole("button", { name: /^Envoyer/ }).click();
  expect((await page.textContent("main"))?.replaceAll("\u00a0", " ")).toContain(
    "Virement de 60 000 F CFA accepté.",
  );
});
