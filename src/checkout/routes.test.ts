import { describe, expect } from "vitest";
import { decliner, expire } from "../../test/charges.ts";
import { makeCompany, startService, type TestService, test } from "../../test/fixtures.ts";
import { PayPage, submit, textOf, visit } from "../../test/pay-page.ts";

describe("/pay/:token", () => {
  test("404: every wrong link gets the same page, and none of it repeats the link", async ({
    db,
    service,
    company,
  }) => {
    const good = await PayPage.make(service, company);
    const other = await PayPage.make(service, await makeCompany(db.database, { name: "Other" }));
    const token = good.path.slice("/pay/".length);
    const foreign = other.path.slice("/pay/".length);
    // The company and charge of one link with the mark of another; and one whose charge never was.
    const mixed = token.slice(0, 43) + foreign.slice(43);
    const wrong = [
      "",
      "/",
      "/x",
      "/%FF",
      "/%00",
      "/..%2f..%2f",
      `/${"a".repeat(64)}`,
      `/${"a".repeat(9_000)}`,
      `/${token.slice(0, -1)}`,
      `/${token}a`,
      `/${token.toLowerCase()}`,
      `/${mixed}`,
      `/${token}%20`,
      `/${token}/`,
      `/${token}/nothing`,
      `/${token}/code/x`,
      "/x/logo",
    ].map((rest) => `/pay${rest}`);

    expect((await visit(service, `/pay/${token}`)).status).toBe(200);
    const pages = new Set<string>();
    for (const path of wrong) {
      const answer = await visit(service, path);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get("content-type"), path).toBe("text/html; charset=utf-8");
      pages.add(timeless(answer.html));
    }
    for (const action of ["code", "confirm", "cancel", "change"]) {
      const answer = await submit(service, `/pay/${mixed}/${action}`, { phone: "+2250700000000" });
      expect(answer.status, action).toBe(404);
      pages.add(timeless(answer.html));
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).not.toMatch(/a{64}|Test|Other/);
    expect((await good.get()).status).toBe(200);
  });

  test("429: somebody who tries links is told to wait, while good links work from the same address", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { AUTH_FAILURES_PER_MINUTE: "3" });
    try {
      const good = await PayPage.make(service, company);
      const statuses: number[] = [];
      for (let tries = 0; tries < 5; tries += 1)
        statuses.push((await visit(service, `/pay/guess-${tries}`)).status);
      expect(statuses).toEqual([404, 404, 404, 429, 429]);
      const refused = await visit(service, "/pay/guess");
      expect(refused.headers.get("retry-after")).toBe("60");
      expect(textOf(refused.html)).toContain("Trop de demandes");
      expect((await good.get()).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test("303: the answer to an action leads back to the page when it is reloaded", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    for (const action of ["code", "confirm", "cancel", "change"]) {
      const answer = await visit(service, `${page.path}/${action}?lang=en`);
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `${page.path}?lang=en`,
      ]);
    }
  });

  test("403: a form that another site sends does nothing; a browser that says nothing is believed", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      { origin: "not an origin" },
    ];
    for (const headers of foreign) {
      const answer = await page.post("cancel", {}, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(textOf(answer.html)).toContain("Cette demande vient d’un autre site");
    }
    expect(textOf((await page.get()).html)).toContain("Payer");
    const own: Record<string, string>[] = [
      {},
      { origin: "null", "sec-fetch-site": "same-origin" },
      { origin: service.url },
    ];
    for (const headers of own)
      expect((await page.post("change", {}, headers)).status, JSON.stringify(headers)).toBe(303);
  });

  test("405, 413, 415: pages too, with the number of the incident", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const answers = [
      [405, await visit(service, page.path, { method: "DELETE" })],
      [405, await visit(service, page.path, { method: "POST" })],
      [405, await visit(service, "/wallet/code", { method: "PUT" })],
      [413, await page.post("code", { phone: "1".repeat(5_000) })],
      [415, await sendAs(service, `${page.path}/code`, "application/json", '{"phone":"1"}')],
      [415, await sendAs(service, `${page.path}/code`, "text/plain", "phone=1")],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(textOf(answer.html)).toContain("Demande impossible");
      const incident = answer.headers.get("x-correlation-id");
      expect(incident).toMatch(/^[0-9a-f-]{36}$/);
      expect(textOf(answer.html)).toContain(incident);
    }
  });

  test("422: a number that cannot be right stays in its field, with what is wrong tied to it", async ({
    service,
    company,
  }) => {
    const page = await PayPage.make(service, company);
    const answer = await page.post("code", { phone: '77 12"><b>' });

    expect(answer.status).toBe(422);
    expect(answer.html).toContain("<title>Erreur\u00a0: Payer Test</title>");
    expect(answer.html).toContain('<a href="#phone">');
    const field = /<input id="phone".*?value="[^"]*"/.exec(answer.html)?.[0] ?? "";
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain('aria-describedby="phone-problem phone-hint"');
    expect(field).toContain('value="77 12&quot;>&lt;b>"');
    expect(answer.html).toContain('id="phone-problem"');
    expect(answer.html).not.toContain("<b>");
    expect((await page.get()).html).not.toContain("77 12");
  });

  test("what the merchant wrote is text, never markup, wherever it stands", async ({
    db,
    service,
  }) => {
    const nasty = `<script>alert(1)</script>"'&`;
    const company = await makeCompany(db.database, { name: nasty });
    const page = await PayPage.make(service, company, { description: nasty, externalId: nasty });
    const pages = [await page.get()];
    await page.codeFor("+2250700000000");
    pages.push(await page.get());
    await page.post("confirm", { code: await page.codeFor(`+${decliner}`) });
    pages.push(await page.get());
    await expire(db, page.chargeId);
    pages.push(await page.get());
    for (const { html } of pages) {
      expect(html).toContain("&lt;script>alert(1)");
      expect(html).not.toContain("<script>alert");
    }
  });
});

async function sendAs(service: TestService, path: string, type: string, body: string) {
  return visit(service, path, { method: "POST", body, headers: { "content-type": type } });
}

/** Without what differs from one answer to the next. */
function timeless(html: string): string {
  return html
    .replaceAll(/nonce="[^"]+"/g, "")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");
}
