import { gunzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { productionSettings, startService, test } from "../../test/fixtures.ts";
import { keepLogo } from "../../test/logo-host.ts";
import { PayPage, textOf, visit } from "../../test/pay-page.ts";
import { padded, pictures } from "../../test/pictures.ts";

const headersOfEveryPage = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  vary: "Accept-Encoding, Accept-Language",
};

describe("every page", () => {
  test("is hemmed in: policy with a nonce of its own, no cache, no referrer, no frame, and a cookie that says nothing", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const first = await page.get();

    expect(first.status).toBe(200);
    for (const [name, value] of Object.entries(headersOfEveryPage))
      expect(first.headers.get(name), name).toBe(value);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^cauri_browser=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(first.headers.get("strict-transport-security")).toBeNull();
    const nonce = /nonce-([^']+)'/.exec(first.headers.get("content-security-policy") ?? "")?.[1];
    expect(first.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src 'self' data:; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(Buffer.from(nonce ?? "", "base64")).toHaveLength(16);
    expect(first.html.match(new RegExp(`nonce="${escaped(nonce)}"`, "g"))).toHaveLength(2);
    // The icon and the policy agree: what is blocked is reported in the payer's console on every page.
    expect(first.html).toContain('<link rel="icon" href="data:,"/>');
    expect(first.html).not.toMatch(/\son\w+="|style="|https?:\/\/(?!shop\.example|www\.w3\.org)/);
    expect((await page.get()).headers.get("content-security-policy")).not.toContain(nonce);
  });

  test("in production asks for https from then on, and nothing says test", async ({
    db,
    company,
  }) => {
    const service = await startService(db, productionSettings(db));
    try {
      const page = await PayPage.make(service, company);
      const { headers, html } = await page.get();
      expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d+$/);
      expect(textOf(html)).not.toContain("Mode test");
      expect(textOf(html)).toContain("Service de paiement : Teranga Pay");
      expect(textOf(html)).toContain("débité de votre compte Teranga Pay");
      const wrong = await visit(service, "/pay/nothing");
      expect(wrong.headers.get("strict-transport-security")).toMatch(/^max-age=\d+$/);
    } finally {
      await service.stop();
    }
  });

  test("is compressed for those who understand it, and whole for those who do not", async ({
    service,
    company,
  }) => {
    const { path } = await PayPage.make(service, company);
    const ask = (encoding: string) =>
      service.app.inject({ url: path, headers: { "accept-encoding": encoding } });

    const plain = await ask("identity");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toContain("<!doctype html>");
    for (const encoding of ["gzip", "br, gzip;q=0.5", "deflate, GZIP ;q=1", "*"]) {
      const packed = await ask(encoding);
      expect(packed.headers["content-encoding"], encoding).toBe("gzip");
      expect(gunzipSync(packed.rawPayload).toString()).toContain("<!doctype html>");
    }
    for (const encoding of ["gzip;q=0", "gzip;q=0.000", "gzip;q=0, *", "br", ""])
      expect((await ask(encoding)).headers["content-encoding"], encoding).toBeUndefined();
  });

  test("speaks French, or what is asked for, and keeps what was chosen by hand", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);

    const french = await page.get("", { "accept-language": "de" });
    expect(french.html).toContain('<html lang="fr">');
    expect(french.headers.get("content-language")).toBe("fr");
    expect(french.html).toContain(`action="${page.path}/code"`);
    const english = await page.get("?lang=en", { "accept-language": "fr" });
    expect(english.html).toContain('<html lang="en">');
    expect(english.html).toContain(`action="${page.path}/code?lang=en"`);
    expect(english.html).toContain(`hreflang="fr" href="${page.path}?lang=fr"`);
    const sent = await page.post("code?lang=en", { phone: "+2250700000000" });
    expect(sent.headers.get("location")).toBe(`${page.path}?lang=en`);
  });
});

describe("help and logos", () => {
  test.for([
    ["+221 33 800 00 00", "tel:+221338000000"],
    ["aide@teranga.example", "mailto:aide@teranga.example"],
  ])(
    "whose service it is, its terms, and where to ask: %s",
    async ([support, href], { db, company }) => {
      const service = await startService(db, {
        OPERATOR_NAME: "Teranga Pay",
        OPERATOR_TERMS_URL: "https://teranga.example/terms",
        OPERATOR_SUPPORT: support ?? "",
      });
      try {
        const page = await PayPage.make(service, company);
        const accept = { accept: "text/html" };
        const answers = [
          await page.get(),
          await page.get("?cancel=1"),
          await visit(service, "/pay/nothing"),
          await visit(service, "/wallet"),
          await visit(service, "/", { headers: accept }),
          await visit(service, "/nothing", { headers: accept }),
        ];
        for (const { html } of answers) {
          expect(textOf(html)).toContain("Service de paiement : Teranga Pay");
          expect(html).toContain(`<a href="${href}">${support}</a>`);
          expect(html).toContain('href="https://teranga.example/terms"');
        }
      } finally {
        await service.stop();
      }
    },
  );

  test("staging without an operator says that it is a test", async ({ service }) => {
    expect(textOf((await visit(service, "/wallet")).html)).toContain(
      "Service de paiement : Cauri (test)",
    );
  });

  test("a small logo comes from our own address, a large one gives way to initials", async ({
    db,
    service,
    company,
  }) => {
    const token = company.accessToken;
    const logoUrl = "https://shop.example/logo.png";
    const shop = { name: "Boutique Awa", logoUrl };
    const { body } = await service.call("POST", "/v1/sub-companies", { token, body: shop });
    const changes = { subCompanyId: body.id };
    const page = await PayPage.make(service, company, changes);
    const waiting = await page.get();
    expect(waiting.html).toContain('<span class="logo letters" aria-hidden="true">BA</span>');
    expect((await page.get("/logo")).status).toBe(404);

    await keepLogo(db, logoUrl, pictures.png);
    const shown = await page.get();
    expect(shown.html).toContain(`src="${page.path}/logo"`);
    expect(shown.html).not.toContain(logoUrl);
    const logo = await page.get("/logo");
    expect(logo.status).toBe(200);
    expect(logo.headers.get("content-type")).toBe("image/png");
    expect(logo.headers.get("x-content-type-options")).toBe("nosniff");
    expect(logo.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(logo.headers.get("cache-control")).toBe("private, max-age=3600");

    const other = "https://shop.example/large.png";
    await service.call("PUT", `/v1/sub-companies/${body.id}`, { token, body: { logoUrl: other } });
    await keepLogo(db, other, padded(pictures.png, 8 * 1_024 + 1));
    expect((await page.get()).html).toContain("letters");
    await service.call("PUT", `/v1/sub-companies/${body.id}`, { token, body: { logoUrl } });
    expect((await page.get()).html).toContain(`src="${page.path}/logo"`);
    await keepLogo(db, logoUrl, padded(pictures.png, 8 * 1_024));
    const wordy = { ...changes, description: "é".repeat(1_000) };
    const fresh = await startService(db);
    try {
      const long = await PayPage.make(fresh, company, { ...wordy, externalId: "e".repeat(255) });
      expect((await long.get()).html).toContain("letters");
    } finally {
      await fresh.stop();
    }
  });
});

function escaped(text = ""): string {
  return text.replaceAll(/[+/=]/g, "\\$&");
}
