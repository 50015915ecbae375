import { expect } from "vitest";
import { setKeysAloneMax } from "../../src/approvals/rules.ts";
import { approvalsWords } from "../../src/console/words/approvals.ts";
import { heldWords } from "../../src/console/words/held.ts";
import { homeWords } from "../../src/console/words/home.ts";
import { transferWords } from "../../src/console/words/transfers.ts";
import { operator } from "../../src/trail/actor.ts";
import { giveAuthenticator } from "../authenticator.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { auditDifferences, test } from "../fixtures.ts";
import { sendBatchByKey, sendByKey, statusesOf } from "../held.ts";

const open = useBrowser();

test("an approver is led from home to what keys have sent, refuses a batch and lets the rest go, on a phone without script", async ({
  db,
  service,
  company,
}) => {
  const words = heldWords.fr;
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));
  const approver = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, approver);
  await sendByKey(service, company, "Loyer");
  const batch = (await sendBatchByKey(service, company, "mai", 3)).body;
  const page = await open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  await keepSignedIn(page.context(), service.url, approver);

  await page.goto(`${service.url}/console`);
  await page.getByRole("link", { name: homeWords.fr.seeHeld }).click();
  await page.getByRole("heading", { name: words.title }).waitFor();
  await page.goto(`${service.url}/console/approvals`);
  await page.getByRole("link", { name: words.batch(`…${batch.id.slice(-8)}`) }).click();
  await page.getByRole("heading", { name: words.titleOfBatch }).waitFor();
  await page.locator("#comment").fill("Je ne connais personne.");
  await page.locator("#refuse-code").fill(await code());
  await page.getByRole("button", { name: approvalsWords.fr.refuse, exact: true }).click();
  await page.getByText(words.refused(3)).waitFor();

  await page.getByRole("link", { name: words.review }).click();
  await page.locator("#code").fill(await code());
  await page.getByRole("button", { name: /^Approuver/ }).click();
  await page.getByText(words.approved(1)).waitFor();
  await expect.poll(() => statusesOf(service, company)).toEqual({ completed: 1, failed: 3 });
  await page.goto(`${service.url}/console/transfers/${batch.transactions[0].id}`);
  await page.getByText(transferWords.fr.steps.refused(approver.email)).waitFor();
  expect(await auditDifferences(db.database)).toEqual([]);
});
