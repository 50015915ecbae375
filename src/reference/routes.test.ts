import { gunzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { productionSettings, startService, test } from "../../test/fixtures.ts";
import { operations, reference } from "../../test/reference.ts";
import { apiErrors } from "./api-errors.ts";

const weightMax = 100 * 1_024;

describe("GET /docs", () => {
  test.for(["fr", "en"])(
    "200: everything is on the page, in %s, and weighs little",
    async (lang, { service }) => {
      const response = await service.app.inject({
        url: `/docs?lang=${lang}`,
        headers: { "accept-encoding": "gzip" },
      });
      const html = gunzipSync(response.rawPayload).toString("utf8");

      expect(response.statusCode).toBe(200);
      expect(response.headers["content-language"]).toBe(lang);
      expect(html).toContain(`<html lang="${lang}">`);
      // Style and script stand in the page, and nothing else is loaded.
      expect(response.rawPayload.length).toBeLessThan(weightMax);
      expect(html).not.toMatch(/<(?:link|script|img|iframe)[^>]+(?:src|href)="(?!data:,")/);
      const anchors = [
        ...operations.map(({ id }) => id),
        ...reference.objects.map(({ name }) => `o-${name}`),
        ...reference.topics.map(({ topic }) => `t-${topic.replace("/", "-")}`),
        ...apiErrors.map(({ error }) => `e-${error.code}`),
      ];
      expect(anchors.filter((id) => !html.includes(` id="${id}"`))).toEqual([]);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    },
  );

  test("200: the language is that of the address, else of the browser, else French", async ({
    service,
  }) => {
    const languageOf = async (query: string, accept?: string) => {
      const headers = accept === undefined ? {} : { "accept-language": accept };
      const response = await service.app.inject({ url: `/docs${query}`, headers });
      return response.headers["content-language"];
    };

    expect(await languageOf("")).toBe("fr");
    expect(await languageOf("", "en-GB,fr;q=0.5")).toBe("en");
    expect(await languageOf("?lang=fr", "en")).toBe("fr");
    expect(await languageOf("?lang=de", "en")).toBe("en");
    expect(await languageOf("?lang=en&lang=fr", "fr")).toBe("fr");
  });

  test("304: who has it already is not sent it again", async ({ service }) => {
    const first = await service.call("GET", "/docs");
    const tag = first.headers.get("etag") ?? "";
    const again = await service.call("GET", "/docs", { headers: { "if-none-match": `W/${tag}` } });
    const english = await service.call("GET", "/docs?lang=en", {
      headers: { "if-none-match": tag },
    });

    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("Accept-Encoding, Accept-Language");
    expect([again.status, again.body]).toEqual([304, ""]);
    expect(english.status).toBe(200);
  });

  test("HEAD has the headers and no body; another method is a 405", async ({ service }) => {
    const head = await service.call("HEAD", "/docs");
    const post = await service.call("POST", "/docs", { body: {} });

    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers.get("etag")).not.toBeNull();
    expect([post.status, post.body.code]).toEqual([405, "method_not_allowed"]);
  });

  test("its headers allow its own style and script and nothing else", async ({ service }) => {
    const { headers } = await service.call("GET", "/docs");
    const policy = headers.get("content-security-policy") ?? "";

    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; script-src 'sha256-[\w+/]+='; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
  });

  test("it is this installation's: its address, its base path and its brand", async ({ db }) => {
    const service = await startService(db, {
      PUBLIC_URL: "https://pay.example/cauri",
      BRAND: "teranga",
    });
    try {
      const { body } = await service.call("GET", "/docs?lang=en");
      expect(body).toContain("https://pay.example/cauri/v1/transactions");
      expect(body).toContain("x-teranga-hmac-sha256");
      expect(body).toContain("Cauri\\Webhooks::verify");
      expect(body).toContain("cp ../cauri/sdk/php/Cauri.php .");
      expect(body).toContain('href="/cauri/openapi.json"');
      expect(body).toContain('href="/cauri/docs?lang=fr"');
    } finally {
      await service.stop();
    }
  });

  test("in production nothing can be tried, and the page may connect to nothing", async ({
    db,
  }) => {
    const service = await startService(db, productionSettings(db));
    try {
      const { body, headers } = await service.call("GET", "/docs");
      expect(headers.get("content-security-policy")).not.toContain("connect-src");
      for (const word of ["sessionStorage", "lastToken", 'id="trials"', "payCharge", "Mode test"])
        expect(body.includes(word), word).toBe(false);
    } finally {
      await service.stop();
    }
  });
});
