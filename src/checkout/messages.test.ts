import { expect } from "vitest";
import { makeCompany, makeCustomer, startService, test } from "../../test/fixtures.ts";
import { PayPage, submit, textOf, visit } from "../../test/pay-page.ts";
import { startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const phone = "+221771234567";
const msisdn = "221771234567";

test("with a gateway the code is in the message and on no page, in the language of the page", async ({
  db,
  company,
}) => {
  await makeCustomer(db.database, msisdn);
  const gateway = await startReceiver();
  const service = await startService(db, settings(gateway.url));
  try {
    const page = await PayPage.make(service, company, { amount: 25_000 });
    await page.post("code", { phone });
    await makeCustomer(db.database, "22890909090");
    await page.post("code?lang=en", { phone: "+22890909090" });
    await submit(service, "/wallet/code", { phone });

    const texts = gateway.received.map(({ body }) => String(body.text));
    expect(texts.map((text) => text.replace(/\d{6}/, "######"))).toEqual([
      "Cauri (test) : ###### est votre code pour payer 25 000 F CFA à Test. Valable 5 minutes. Ne le donnez à personne.",
      "Cauri (test): ###### is your code to pay XOF 25,000 to Test. Valid for 5 minutes. Give it to nobody.",
      "Cauri (test) : ###### est votre code pour ouvrir votre compte. Valable 5 minutes. Ne le donnez à personne.",
    ]);
    const { html } = await page.get();
    expect(html).toContain('id="code"');
    expect(html).not.toContain("Code de test");
    for (const text of texts) expect(html).not.toContain(/\d{6}/.exec(text)?.[0]);
  } finally {
    await service.stop();
  }
});

test("a message holds our words and the name that the operator gave, whatever a sub-company is called", async ({
  db,
}) => {
  const gateway = await startReceiver();
  const service = await startService(db, settings(gateway.url));
  try {
    await makeCustomer(db.database, msisdn);
    const name = "Société\tKoné & Fils\nhttp://bit.ly/xy1 ".padEnd(90, "x");
    const company = await makeCompany(db.database, { name });
    const sub = await service.call("POST", "/v1/sub-companies", {
      token: company.accessToken,
      body: {
        name: "x.\nCAURI: compte bloque. http://bit.ly/xy1",
        logoUrl: "https://shop.example/logo.png",
      },
    });
    const page = await PayPage.make(service, company, {
      amount: 25_000,
      ...(sub.status === 201 ? { subCompanyId: sub.body.id } : {}),
    });
    await page.post("code", { phone });

    const text = String(gateway.received[0]?.body.text);
    expect(text.replace(/\d{6}/, "######")).toBe(
      "Cauri (test) : ###### est votre code pour payer 25 000 F CFA à Société Koné & Fils http bit ly xy1 xxxx. Valable 5 minutes. Ne le donnez à personne.",
    );
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|:\/\/|\w\.\w/u);
  } finally {
    await service.stop();
  }
});

test("a gateway that refuses: the page says so, nothing is counted, and the next press tries again", async ({
  db,
  company,
}) => {
  await makeCustomer(db.database, msisdn);
  const gateway = await startReceiver((_received, response) => response.writeHead(400).end());
  const service = await startService(db, settings(gateway.url));
  try {
    const page = await PayPage.make(service, company);
    await page.post("code", { phone });
    const { html } = await page.get();
    expect(textOf(html)).toContain("Le code n’a pas pu être envoyé.");
    // It is not known to be the number's fault, so nobody is sent to look for a mistake in it.
    expect(textOf(html)).not.toContain("numéro et réessayez");
    expect(textOf(html)).toContain("•• •• •• 67");
    expect(html).not.toContain('id="code"');
    expect(await db.database.query(sql`select sends from checkouts`)).toEqual([{ sends: 0 }]);
    const wallet = await submit(service, "/wallet/code", { phone });
    expect(wallet.status).toBe(503);
    expect(textOf(wallet.html)).toContain("Le code n’a pas pu être envoyé.");

    gateway.respond = (_received, response) => response.writeHead(200).end();
    await page.post("code", { again: "1" });
    expect((await page.get()).html).toContain('id="code"');
    expect((await visit(service, "/wallet")).status).toBe(200);
  } finally {
    await service.stop();
  }
});

test("test numbers belong to strangers: their codes are on the page and never sent", async ({
  db,
  company,
}) => {
  const gateway = await startReceiver();
  const service = await startService(db, settings(gateway.url));
  try {
    const page = await PayPage.make(service, company);
    await page.post("confirm", { code: await page.codeFor("+2250700000001") });
    expect(textOf((await page.get()).html)).toContain("Le paiement a été refusé");
    await page.post("change");
    await page.post("confirm", { code: await page.codeFor("+2250700000000") });
    expect(textOf((await page.get()).html)).toContain("Paiement effectué");
    expect(gateway.received).toEqual([]);
  } finally {
    await service.stop();
  }
});

test("neither page nor message says that a code lasts longer than its charge", async ({
  db,
  company,
}) => {
  await makeCustomer(db.database, msisdn);
  const gateway = await startReceiver();
  const service = await startService(db, {
    ...settings(gateway.url),
    CHARGE_LIFETIME_SECONDS: "150",
  });
  try {
    const page = await PayPage.make(service, company);
    await page.post("code", { phone });

    expect(gateway.received[0]?.body.text).toContain("Valable 2 minutes.");
    const { html } = await page.get();
    const ends = /Expire à (\d\d:\d\d GMT)/.exec(textOf(html))?.[1];
    expect(ends).toBeDefined();
    expect(textOf(html)).toContain(`Valable jusqu’à ${ends}.`);
  } finally {
    await service.stop();
  }
});

function settings(url: string) {
  return { SMS_GATEWAY_URL: `${url}/messages`, SMS_GATEWAY_TOKEN: "gateway-token" };
}
