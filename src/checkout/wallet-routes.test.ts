import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { fillWallet } from "../../test/charges.ts";
import { passCodeTime, wrongCode } from "../../test/codes.ts";
import {
  makeCustomer,
  productionSettings,
  startService,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { cookiesOf, submit, textOf, visit } from "../../test/pay-page.ts";
import { pictures } from "../../test/pictures.ts";
import { sql } from "../database/sql.ts";

const phone = "+221771234567";
const msisdn = "221771234567";

describe("/wallet", () => {
  test("signing in: phone, code, and a cookie for the wallet alone", async ({ db, service }) => {
    await makeCustomer(db.database, msisdn);
    const start = await visit(service, "/wallet");
    expect(start.status).toBe(200);
    expect(start.headers.get("set-cookie")).toMatch(/^cauri_browser=/);

    const asked = await submit(
      service,
      "/wallet/code?lang=en",
      { phone },
      { cookie: cookiesOf(start) },
    );
    expect([asked.status, asked.headers.get("location")]).toEqual([303, "/wallet?lang=en"]);
    const cookie = cookiesOf(asked, cookiesOf(start));
    const code = await shownCode(service, cookie);
    const wrong = await submit(service, "/wallet/confirm", { code: wrongCode(code) }, { cookie });
    expect(wrong.status).toBe(303);
    expect(wrong.headers.get("set-cookie")).toBeNull();
    expect(textOf((await visit(service, "/wallet", { headers: { cookie } })).html)).toContain(
      "Il vous reste 4 essais.",
    );
    const right = await submit(service, "/wallet/confirm", { code }, { cookie });
    const [session, phoneGone] = right.headers.getSetCookie();
    expect(session).toMatch(
      /^cauri_wallet=221771234567\.[\w-]{43}; Path=\/wallet; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
    expect(phoneGone).toMatch(/^cauri_wallet_phone=; .*Max-Age=0/);

    const wallet = await visit(service, "/wallet", { headers: { cookie: cookiesOf(right) } });
    expect(textOf(wallet.html)).toContain("Bonjour Awa Diop");
    expect(wallet.headers.get("content-security-policy")).toContain("img-src 'self' data:;");
    expect(wallet.html).not.toContain("771234567");
    // The code is used up: it opens nothing a second time.
    const again = await submit(service, "/wallet/confirm", { code }, { cookie });
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test("signing out ends the session itself, not only the cookie", async ({ db, service }) => {
    await makeCustomer(db.database, msisdn);
    const cookie = await signIn(service);
    const left = await submit(service, "/wallet/leave", {}, { cookie });
    expect(left.headers.get("set-cookie")).toMatch(/^cauri_wallet=; .*Max-Age=0/);

    const { html } = await visit(service, "/wallet", { headers: { cookie } });
    expect(html).toContain('id="phone"');
    expect(textOf(html)).not.toContain("Awa Diop");
  });

  test("no cookie that was not given out opens anything", async ({ db, service }) => {
    await makeCustomer(db.database, msisdn);
    const cookie = await signIn(service);
    const forged = [
      cookie.replace("771234567", "771234568"),
      `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`,
      `cauri_wallet=${msisdn}.`,
      "cauri_wallet=",
      `cauri_wallet=${msisdn}.${"x".repeat(5_000)}`,
      "cauri_wallet_phone=' or 1=1",
    ];
    for (const value of forged) {
      const { status, html } = await visit(service, "/wallet", { headers: { cookie: value } });
      expect([status, html.includes('id="phone"')], value).toEqual([200, true]);
    }
  });

  test("422: a wrong number and what cannot be a code, kept and tied to their fields", async ({
    db,
    service,
  }) => {
    await makeCustomer(db.database, msisdn);
    const wrong = await submit(service, "/wallet/code", { phone: "77 123" });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('value="77 123"');
    expect(wrong.headers.get("set-cookie")).toBeNull();
    const cookie = cookiesOf(await submit(service, "/wallet/code", { phone }));
    const answer = await submit(service, "/wallet/confirm", { code: "12" }, { cookie });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('aria-describedby="code-problem code-hint"');
  });

  test("429: three codes an hour for a phone, and the page says how long to wait", async ({
    db,
    service,
  }) => {
    let cookie = "";
    await makeCustomer(db.database, msisdn);
    for (let send = 0; send < 3; send += 1) {
      const asked = await submit(service, "/wallet/code", { phone }, { cookie });
      expect(asked.status).toBe(303);
      cookie = cookiesOf(asked, cookie);
      // Pressed twice: the code of the first press is on its way, so nothing is wrong.
      expect((await submit(service, "/wallet/code", { phone }, { cookie })).status).toBe(303);
      await passCodeTime(db.database, 301);
    }
    const refused = await submit(service, "/wallet/code", { phone }, { cookie });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(2_000);
    expect(textOf(refused.html)).toMatch(/Réessayez dans \d\d minutes/);
    expect(await db.database.query(sql`select 1 from one_time_codes`)).toHaveLength(3);
  });

  test("a stranger who names the phone neither burns its code nor learns of it", async ({
    db,
    service,
  }) => {
    await makeCustomer(db.database, msisdn);
    const look = async (cookie: string) =>
      textOf((await visit(service, "/wallet", { headers: { cookie } })).html);
    const forged = `cauri_wallet_phone=${msisdn}`;
    const unasked = await look(forged);
    const cookie = cookiesOf(await submit(service, "/wallet/code", { phone }));
    const code = await shownCode(service, cookie);
    const invented = `${forged}; cauri_browser=${"A".repeat(43)}`;

    for (const stranger of [forged, invented]) {
      expect(await look(stranger)).toBe(unasked);
      for (let tries = 0; tries < 5; tries += 1)
        await submit(service, "/wallet/confirm", { code: wrongCode(code) }, { cookie: stranger });
      const guessed = await submit(service, "/wallet/confirm", { code }, { cookie: stranger });
      expect(guessed.headers.get("set-cookie")).toBeNull();
      expect(await look(stranger)).toBe(unasked);
    }
    const right = await submit(service, "/wallet/confirm", { code }, { cookie });
    expect(right.headers.get("set-cookie")).toMatch(/^cauri_wallet=/);
  });

  test("422: no code is sent abroad", async ({ db, service }) => {
    await makeCustomer(db.database, "88212345678");
    const answer = await submit(service, "/wallet/code?lang=en", { phone: "+88212345678" });
    expect(answer.status).toBe(422);
    expect(textOf(answer.html)).toContain("We do not send codes to numbers of this country.");
  });

  test("the browser's own cookie: no script and no other site gets it", async ({ db, service }) => {
    await makeCustomer(db.database, msisdn);
    const [browser] = (await submit(service, "/wallet/code", { phone })).headers.getSetCookie();
    expect(browser).toMatch(
      /^cauri_browser=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    );
  });

  test("429: one address cannot have codes sent to the whole country", async ({ db, service }) => {
    for (let index = 10; index < 50; index += 1)
      await makeCustomer(db.database, `2217712345${index}`);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const answer = await submit(service, "/wallet/code", { phone: `+2217712345${10 + index}` });
        return answer.status;
      }),
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await db.database.query(sql`select 1 from one_time_codes`)).toHaveLength(30);
  });

  test("404 and 303: addresses below it", async ({ db, service }) => {
    await makeCustomer(db.database, msisdn);
    const nothing = await visit(service, "/wallet/nothing");
    expect([nothing.status, nothing.headers.get("content-type")]).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
    expect((await visit(service, "/wallet/%FF")).status).toBe(404);
    const reloaded = await visit(service, "/wallet/confirm");
    expect([reloaded.status, reloaded.headers.get("location")]).toEqual([303, "/wallet"]);
    const strange = await visit(service, "/wallet?cursor=nonsense", {
      headers: { cookie: await signIn(service) },
    });
    expect(strange.status).toBe(200);
  });

  test("behind https its cookies are sent over https only, below the installation's path", async ({
    db,
  }) => {
    const service = await startService(db, {
      ...productionSettings(db),
      PUBLIC_URL: "https://pay.example/cauri",
    });
    try {
      expect((await visit(service, "/wallet")).headers.get("set-cookie")).toMatch(
        /^cauri_browser=[\w-]{43}; Path=\/cauri\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
      );
      const { headers } = await submit(service, "/wallet/change", {});
      expect(headers.get("location")).toBe("/cauri/wallet");
      expect(headers.get("set-cookie")).toMatch(
        /Path=\/cauri\/wallet; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/,
      );
    } finally {
      await service.stop();
    }
  });

  test("logos stand inside the page as long as it stays within 14 KB, the newest first", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, msisdn);
    const sizes = [5_000, 5_000, 9_000, 3_000];
    for (const [index, size] of sizes.entries()) {
      const logoUrl = `https://shop.example/${index}.png`;
      const { body } = await service.call("POST", "/v1/sub-companies", {
        token: company.accessToken,
        body: { name: `Shop ${index}`, logoUrl },
      });
      const bytes = Buffer.concat([pictures.png, randomBytes(size - pictures.png.length)]);
      await db.database.query(sql`
        update logos set status = 'fetched', type = 'image/png', bytes = ${bytes} where url = ${logoUrl}`);
      const { accessToken: token } = company;
      const transfer = { type: "transfer", amount: 5_000, msisdn, reference: `${index}` };
      const sent = { ...transfer, subCompanyId: body.id };
      await service.call("POST", "/v1/transactions", { token, body: sent });
    }
    await fillWallet(db, service, company, msisdn, 5_000);

    const cookie = await signIn(service);
    const { html } = await visit(service, "/wallet", { headers: { cookie } });
    expect(html.match(/background-image:url\(data:image\/png;base64,/g)).toHaveLength(2);
    expect(html.match(/class="logo l\d"/g)).toHaveLength(2);
    expect(html.match(/class="logo letters"/g)).toHaveLength(3);
    expect(gzipSync(html).length).toBeLessThanOrEqual(14 * 1_024);
  });
});

async function shownCode(service: TestService, cookie: string): Promise<string> {
  const { html } = await visit(service, "/wallet", { headers: { cookie } });
  return /<b>(\d{6})<\/b>/.exec(html)?.[1] ?? "";
}

async function signIn(service: TestService): Promise<string> {
  const cookie = cookiesOf(await submit(service, "/wallet/code", { phone }));
  const code = await shownCode(service, cookie);
  return cookiesOf(await submit(service, "/wallet/confirm", { code }, { cookie }));
}
