import { expect } from "vitest";
import { approvalsWords } from "../../src/console/words/approvals.ts";
import { collectionWords } from "../../src/console/words/collections.ts";
import { linkWords } from "../../src/console/words/payment-link.ts";
import { refundWords } from "../../src/console/words/refund.ts";
import { sql } from "../../src/database/sql.ts";
import { giveAuthenticator } from "../authenticator.ts";
import { useBrowser } from "../browser.ts";
import { ChargeClient } from "../charges.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { auditDifferences, test } from "../fixtures.ts";

const open = useBrowser();
const spaced = (text: string | null) => (text ?? "").replaceAll(/[\u00a0\u202f]/g, " ");

test("without script: a link is made, printed, paid and refunded by two people", async ({
  db,
  service,
  company,
}) => {
  const words = collectionWords.fr;
  const link = linkWords.fr;
  const refund = refundWords.fr;
  const [maker, checker] = [
    await signIn(db, company.id, "preparer"),
    await signIn(db, company.id, "owner"),
  ];
  const code = await giveAuthenticator(db.database, checker);
  const page = await open({
    javaScriptEnabled: false,
    locale: "fr-SN",
    viewport: { width: 320, height: 640 },
  });
  await keepSignedIn(page.context(), service.url, maker);
  const read = async () => spaced(await page.textContent("main"));

  await page.goto(`${service.url}/console/collections`);
  await page.getByRole("link", { name: words.new }).first().click();
  await page.getByLabel(link.make.amount).fill("15 000");
  await page.getByLabel(link.make.description).fill("Commande 142");
  // A button that is pressed twice creates one link.
  await page.getByRole("button", { name: link.make.create }).dblclick();
  await page.getByText(link.share.title).waitFor();
  const charge = page.url();
  expect(await db.database.query(sql`select 1 from charges`)).toHaveLength(1);

  await page.getByRole("link", { name: link.share.sizes.a6 }).click();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("header").isVisible()).toBe(false);
  expect(await page.locator("main svg").isVisible()).toBe(true);
  expect(await read()).toContain("15 000 F CFA");
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: link.print.back }).click();

  const payer = await open({ viewport: { width: 320, height: 640 }, locale: "fr-SN" });
  const address = new URL((await page.locator(".secret").textContent()) ?? "");
  await payer.goto(service.url + address.pathname);
  expect(await payer.textContent("main")).toContain("Commande 142");
  await new ChargeClient(service, company).pay(charge.split("/").at(-1) ?? "");
  await page.reload();
  expect(await read()).toContain("Payé par +225 07 00 00 00 00");

  await page.getByRole("link", { name: words.refund, exact: true }).click();
  await page.getByLabel(refund.amount).fill("4000");
  await page.getByRole("button", { name: refund.review }).click();
  expect(await read()).toContain("Restera remboursable11 000 F CFA");
  await page.getByRole("button", { name: /^Demander le remboursement/ }).click();
  expect(await read()).toContain(approvalsWords.fr.mayNot);
  const approval = page.url();

  const other = await open({ javaScriptEnabled: false, locale: "fr-SN" });
  await keepSignedIn(other.context(), service.url, checker);
  await other.goto(approval);
  await other
    .getByLabel(approvalsWords.fr.code)
    .first()
    .fill(await code());
  await other.getByRole("button", { name: /^Approuver/ }).click();
  expect(await other.textContent("main")).toContain(approvalsWords.fr.carriedOut);
  await page.goto(charge);
  expect(await read()).toContain("4 000 F CFA remboursés au payeur");
  expect(await auditDifferences(db.database)).toEqual([]);
});
