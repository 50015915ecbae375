import { describe, expect } from "vitest";
import { startService, test } from "../../test/fixtures.ts";
import { textOf, visit } from "../../test/pay-page.ts";

/** As browsers ask when somebody types an address. */
const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("/", () => {
  test("200: a browser learns what this is and where to go", async ({ service }) => {
    const { status, html } = await visit(service, "/", browser);

    expect(status).toBe(200);
    expect(textOf(html)).toContain("Cauri (test) reçoit des paiements pour des commerçants");
    for (const path of ["/wallet", "/guide", "/docs", "/docs/guides", "/openapi.json"]) {
      expect(html).toContain(`href="${path}"`);
      expect((await visit(service, path, browser)).status).toBe(200);
    }
    const english = await visit(service, "/?lang=en", browser);
    expect(english.html).toContain('<html lang="en">');
    expect(english.html).toContain('href="/guide?lang=en"');
  });

  test.for(["*/*", "application/json", "", "text/html;q=0, */*"])(
    "404: a program that accepts %j is answered in JSON, as ever",
    async (accept, { service }) => {
      const answer = await service.call("GET", "/nothing", { headers: { accept } });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: "route_not_found", path: "/nothing" });
    },
  );

  test("200: a program learns where everything is, and nothing of what runs here", async ({
    db,
  }) => {
    const service = await startService(db, { PUBLIC_URL: "https://pay.example/cauri/" });
    try {
      const { status, headers, body } = await service.call("GET", "/");
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(body).toEqual({
        api: "https://pay.example/cauri/v1",
        openapi: "https://pay.example/cauri/openapi.json",
        reference: "https://pay.example/cauri/docs",
        guides: "https://pay.example/cauri/docs/guides",
        console: "https://pay.example/cauri/console",
        wallet: "https://pay.example/cauri/wallet",
      });
      for (const address of Object.values(body as Record<string, string>).slice(1)) {
        const path = address.replace("https://pay.example/cauri", "");
        const { statusCode } = await service.app.inject(path);
        expect([200, 303], path).toContain(statusCode);
      }
    } finally {
      await service.stop();
    }
  });

  test("404: below /v1 the answer is JSON for everybody, and the token comes first", async ({
    service,
    company,
  }) => {
    const { headers } = browser;
    const token = company.accessToken;
    expect((await service.call("GET", "/v1/nothing", { headers })).body.statusCode).toBe(401);
    const known = await service.call("GET", "/v1/nothing", { headers, token });
    expect(known.body).toMatchObject({ statusCode: 404, code: "route_not_found" });
  });

  test("404: an unknown address is a page for a browser, with the number of the incident", async ({
    service,
  }) => {
    for (const path of ["/nothing", "/nothing/at/all", "/index.html?x=<b>"]) {
      const { status, headers, html } = await visit(service, path, browser);
      expect(status).toBe(404);
      expect(headers.get("content-security-policy")).toContain("script-src 'nonce-");
      expect(textOf(html)).toContain("Page introuvable");
      expect(textOf(html)).toContain(headers.get("x-correlation-id"));
      expect(html).not.toContain("index.html");
    }
  });
});

test("the guide's examples are for this installation", async ({ db }) => {
  const service = await startService(db, {
    PUBLIC_URL: "https://pay.example/cauri",
    BRAND: "teranga",
    DEFAULT_COUNTRY: "TG",
  });
  try {
    const { html } = await visit(service, "/guide", browser);
    expect(html).toContain("curl https://pay.example/cauri/v1/charges");
    expect(html).toContain("x-teranga-hmac-sha256");
    expect(html).toContain("22890123456");
    expect(html).toContain('href="/cauri/openapi.json"');
  } finally {
    await service.stop();
  }
});
