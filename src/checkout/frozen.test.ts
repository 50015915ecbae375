import { expect } from "vitest";
import { ChargeClient, fillWallet, payer, walletOf } from "../../test/charges.ts";
import { makeCustomer, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { PayPage, submit, textOf, visit } from "../../test/pay-page.ts";
import { freezeCompany, unfreezeCompany } from "../companies/freeze-company.ts";
import { setWalletFrozen } from "../customers/keep-book.ts";
import { Signals } from "../database/signals.ts";
import { operator } from "../trail/actor.ts";

const by = operator("company freeze");
const phone = "+221771234567";
const msisdn = "221771234567";

test("the pages of a frozen company say so politely, send no code and take no payment; a receipt stays", async ({
  db,
  service,
  company,
}) => {
  const signals = new Signals(db.url, db.database);
  const paid = await PayPage.make(service, company);
  await new ChargeClient(service, company).pay(paid.chargeId);
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(payer);

  await freezeCompany(db.database, signals, company.id, by);
  for (const answer of [
    await page.get(),
    await page.post("code", { phone }),
    await page.post("confirm", { code }),
    await page.post("cancel"),
  ]) {
    expect(answer.status).toBe(403);
    expect(textOf(answer.html)).toContain(
      "Test ne peut pas recevoir de paiement pour le moment. Rien n’a été débité.",
    );
  }
  const english = textOf((await page.get("?lang=en")).html);
  expect(english).toContain("Test cannot receive payments just now. Nothing was debited.");
  expect(textOf((await paid.get()).html)).toContain("Paiement effectué");
  expect(await walletOf(db, payer)).toBe(-10_000);

  await unfreezeCompany(db.database, signals, company.id, by);
  expect((await page.get()).status).toBe(200);
});

test("a code that is confirmed while the company is being frozen pays nothing, and the page says why", async ({
  db,
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(payer);
  const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
  const frozen = freezeCompany(db.database, new Signals(db.url, db.database), company.id, by);
  await untilLockAwaited(db.database);
  const confirmed = page.post("confirm", { code });
  await release();
  await frozen;

  // It came after the freeze or waited behind it: told at once, or by the page it leads back to.
  expect([303, 403]).toContain((await confirmed).status);
  expect((await page.get()).status).toBe(403);
  expect(await walletOf(db, payer)).toBe(0);
});

test("a frozen wallet cannot pay on the page, and its holder reads that it is blocked", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, msisdn);
  await fillWallet(db, service, company, msisdn, 20_000);
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(phone);
  await setWalletFrozen(db.database, msisdn, true, by);
  await page.post("confirm", { code });

  expect(textOf((await page.get()).html)).toContain("Le paiement a été refusé.");
  expect(await walletOf(db, msisdn)).toBe(20_000);

  const asked = await submit(service, "/wallet/code", { phone });
  const cookie = asked.headers.getSetCookie().join("; ");
  const shown = await visit(service, "/wallet", { headers: { cookie } });
  const digits = /<b>(\d{6})<\/b>/.exec(shown.html)?.[1] ?? "";
  const right = await submit(service, "/wallet/confirm", { code: digits }, { cookie });
  const session = right.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const wallet = await visit(service, "/wallet", { headers: { cookie: session } });
  expect(textOf(wallet.html)).toContain("il ne peut ni recevoir ni payer");
});
