import { expect } from "vitest";
import { makeCompany, makeCustomer, test } from "../../test/fixtures.ts";
import { cookiesOf, PayPage, submit, textOf, visit } from "../../test/pay-page.ts";
import { sql } from "../database/sql.ts";

const phone = "+221771234567";
const customer = "221771234567";

test("422: one without an account is told so before anything is sent, for a few numbers of a link", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, customer);
  const page = await PayPage.make(service, company);
  for (let index = 1; index <= 6; index += 1) {
    const answer = await page.post("code", { phone: `+2289988776${index}` });
    expect(answer.status).toBe(422);
    expect(textOf(answer.html)).toContain("Ce numéro n’a pas de compte chez Cauri (test).");
    expect(answer.html).toContain(`value="+2289988776${index}"`);
  }
  // From here on the link says nothing more, neither of strangers nor of customers.
  for (const typed of ["+22899887767", phone]) {
    expect((await page.post("code", { phone: typed })).status).toBe(303);
    expect(textOf((await page.get()).html)).toContain("Trop de codes ont été demandés");
  }
  expect(await db.database.query(sql`select 1 from one_time_codes`)).toEqual([]);
});

test("dialled as at home it is completed by the company's country, and shown before a code is sent", async ({
  db,
  service,
}) => {
  const abidjan = await makeCompany(db.database, { country: "CI" });
  await makeCustomer(db.database, "2250102030405");
  const page = await PayPage.make(service, abidjan);
  expect(textOf((await page.get()).html)).toContain(
    "Par exemple 07 01 02 03 04 (Côte d’Ivoire), ou avec l’indicatif : +225 07 01 02 03 04.",
  );

  const shown = await page.post("code", { phone: "01 02 03 04 05" });
  expect(shown.status).toBe(200);
  expect(textOf(shown.html)).toContain("+225 01 02 03 04 05");
  expect(textOf(shown.html)).toContain("Payer 10 000 F CFA");
  expect(await db.database.query(sql`select 1 from one_time_codes`)).toEqual([]);
  const whole = /name="phone" value="([^"]+)"/.exec(shown.html)?.[1] ?? "";
  expect(whole).toBe("+2250102030405");
  expect((await page.post("code", { phone: whole })).status).toBe(303);
  expect(textOf((await page.get()).html)).toContain("•• •• •• 05");

  const senegalese = await page.post("code", { phone: "77 123 45 67" });
  expect(senegalese.status).toBe(422);
  expect(textOf(senegalese.html)).toContain("pas un numéro complet pour ce pays (Côte d’Ivoire)");
});

test("the time is the company's, and the zone stands beside it", async ({ db, service }) => {
  const zoneOn = async (request: { country?: string; timeZone?: string }) => {
    const page = await PayPage.make(service, await makeCompany(db.database, request));
    return /Expire à \d\d:\d\d (\S+) \(/.exec(textOf((await page.get()).html))?.[1];
  };

  expect(await zoneOn({})).toBe("GMT");
  expect(await zoneOn({ country: "NE" })).toBe("GMT+1");
  expect(await zoneOn({ country: "BJ", timeZone: "Africa/Lome" })).toBe("GMT");
});

test("the wallet does the same with the installation's country", async ({ db, service }) => {
  const nobody = await submit(service, "/wallet/code", { phone });
  expect(nobody.status).toBe(422);
  expect(textOf(nobody.html)).toContain("Ce numéro n’a pas de compte chez Cauri (test).");
  expect(nobody.headers.get("set-cookie")).toBeNull();

  await makeCustomer(db.database, customer);
  const shown = await submit(service, "/wallet/code", { phone: "771234567" });
  expect(shown.status).toBe(200);
  expect(textOf(shown.html)).toContain("+221 77 123 45 67");
  expect(shown.headers.get("set-cookie")).toBeNull();
  expect(await db.database.query(sql`select 1 from one_time_codes`)).toEqual([]);
  const sent = await submit(service, "/wallet/code", { phone });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/wallet?asked=1"]);

  const cookie = cookiesOf(sent);
  const early = await submit(service, "/wallet/code", { again: "1" }, { cookie });
  expect([early.status, early.headers.get("location")]).toEqual([303, "/wallet?soon=1"]);
  const told = await visit(service, "/wallet?soon=1", { headers: { cookie } });
  expect(textOf(told.html)).toMatch(/Un nouveau est possible dans \d+ secondes\./);
  expect(told.html).not.toContain('role="alert"');
});
