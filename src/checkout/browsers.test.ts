import { expect } from "vitest";
import { payer } from "../../test/charges.ts";
import { wrongCode } from "../../test/codes.ts";
import { makeCustomer, type TestDatabase, test } from "../../test/fixtures.ts";
import { cookiesOf, PayPage, submit, textOf, visit } from "../../test/pay-page.ts";
import { sql } from "../database/sql.ts";

test("another browser with the same link sees no code, burns none, and begins anew", async ({
  db,
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(payer);
  const stranger = page.elsewhere();
  const fresh = await PayPage.make(service, company);

  const shape = (html: string) => textOf(html).replaceAll(/order [\d.]+|\d+/g, "0");
  expect(shape((await stranger.get()).html)).toBe(shape((await fresh.get()).html));
  for (let tries = 0; tries < 6; tries += 1)
    await stranger.post("confirm", { code: wrongCode(code) });
  await stranger.post("confirm", { code });
  await stranger.post("change");
  expect((await chargeOf(db, page)).status).toBe("due");
  expect((await page.get()).html).toContain('id="code"');

  await page.post("confirm", { code });
  expect((await chargeOf(db, page)).status).toBe("paid");
});

test("a link is a place for twenty browsers: those that were refused make room, and the payer's stays", async ({
  db,
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(payer);
  await makeCustomer(db.database, "2250700000009");
  for (let other = 0; other < 30; other += 1) {
    const answer = await page.elsewhere().post("code", { phone: "+2250700000009" });
    expect(answer.status).toBe(303);
  }

  const [row] = await db.database.query<{ browsers: number }>(sql`
    select count(*) as browsers from checkout_browsers where charge_id = ${page.chargeId}`);
  expect(row?.browsers).toBe(20);
  await page.post("confirm", { code });
  expect((await chargeOf(db, page)).status).toBe("paid");
});

test("429: a link has no place for a browser while twenty others have a code in hand", async ({
  db,
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  await page.codeFor(payer);
  await db.database.query(sql`
    insert into checkout_browsers (company_id, charge_id, browser_hash, msisdn)
    select ${company.id}, ${page.chargeId}, sha256(n::text::bytea), '2250700000009' from generate_series(1, 19) as n`);
  const answer = await page.elsewhere().post("code", { phone: "+2250700000009" });
  expect(answer.status).toBe(429);
});

test("a browser that takes no cookies is told so, on both pages", async ({ service, company }) => {
  const page = await PayPage.make(service, company);
  for (const [path, phone] of [
    [page.path, "+2250700000000"],
    ["/wallet", "+2250700000001"],
  ] as const) {
    const { headers } = await submit(service, `${path}/code`, { phone });
    expect(headers.get("location")).toBe(`${path}?asked=1`);
    const { html } = await visit(service, headers.get("location") ?? "");
    expect(textOf(html)).toContain("Votre navigateur n’accepte pas les cookies");

    const cookie = cookiesOf({ headers });
    const kept = await visit(service, `${path}?asked=1`, { headers: { cookie } });
    expect(kept.html).toContain('id="code"');
    expect(textOf(kept.html)).not.toContain("cookies");
  }
});

test("no code is sent abroad, and the page says so", async ({ db, service, company }) => {
  await makeCustomer(db.database, "88212345678");
  const page = await PayPage.make(service, company);
  await page.post("code", { phone: "+88212345678" });

  expect(textOf((await page.get()).html)).toContain(
    "Nous n’envoyons pas de code aux numéros de ce pays.",
  );
  expect(await db.database.query(sql`select 1 from one_time_codes`)).toEqual([]);
});

async function chargeOf({ database }: TestDatabase, page: PayPage) {
  const rows = await database.query<{ status: string; attempts: number }>(sql`
    select status, attempts from charges where id = ${page.chargeId}`);
  return rows[0] ?? { status: "none", attempts: -1 };
}
