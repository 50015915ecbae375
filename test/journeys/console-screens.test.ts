import { expect } from "vitest";
import { setAloneMax } from "../../src/approvals/rules.ts";
import { operator } from "../../src/trail/actor.ts";
import { findBarriers } from "../accessibility.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { makeCustomer, test, untilSettled } from "../fixtures.ts";
import { send } from "../receiver.ts";
import { makeSubCompany } from "../statements.ts";

const open = useBrowser();
const known = "2250700000000";
const stranger = "2250733333333";
test("axe finds nothing in a filter that is open or wrong, a recipient is named while typing, and a transfer is sent without script", async ({
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
  // What is folded away elsewhere is looked at here, unfolded.
  const paths = {
    filtered: "/console/transfers?min=5000",
    wrong: "/console/transfers?from=2026-02-31",
  };
  const looked = await open({ bypassCSP: true });
  await keepSignedIn(looked.context(), service.url, who);
  for (const [name, path] of Object.entries(paths)) {
    await looked.goto(service.url + path);
    for (const summary of await looked.locator("summary").all()) await summary.click();
    expect(await findBarriers(looked, name)).toEqual([]);
  }

  const typing = await open({ viewport: { width: 320, height: 700 } });
  await keepSignedIn(typing.context(), service.url, who);
  await typing.goto(`${service.url}/console/transfers/new`);
  await typing.getByLabel("Numéro du bénéficiaire").pressSequentially(`+${stranger}`);
  await typing.getByText("Aucun compte n’existe sous ce numéro").waitFor();
  await typing.getByLabel("Numéro du bénéficiaire").fill(`+${known}`);
  await typing.getByText("identité vérifiée").waitFor();
  expect(await typing.locator("#recipient p").count()).toBe(1);

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
