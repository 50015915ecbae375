import { describe, expect } from "vitest";
import { ChargeClient, chargeRequest } from "../../test/charges.ts";
import {
  type Answer,
  makeCompany,
  productionSettings,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";

const path = "/v1/charges";

describe("POST /v1/charges", () => {
  test("400: a required field that is missing, empty, too long, null or of another type", async ({
    service,
    company,
  }) => {
    const wrong: Record<string, readonly unknown[]> = {
      amount: [undefined, null, "10000", 10_000.5, true, [10_000], {}],
      externalId: [undefined, null, "", 7, "x".repeat(256), "a\u0000b", "\ud800", ["order"]],
      description: [undefined, null, "", 7, "x".repeat(1_001), "a\u0000b"],
      onCanceledRedirectionUrl: [undefined, null, "", 7, {}],
      onCompletedRedirectionUrl: [undefined, null, "", 7, {}],
      metadata: ["text", 7, [], true],
      subCompanyId: [7, {}, "x".repeat(101)],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await send(service, company, { ...chargeRequest, [field]: value });
        const said = `${field}: ${JSON.stringify(value)?.slice(0, 40)}`;
        expect([answer.status, answer.body.code, fieldsOf(answer)], said).toEqual([
          400,
          "invalid_request",
          field,
        ]);
      }
    }
    await expectNothingWritten(service, company);
  });

  test("400: one answer names everything that is wrong", async ({ service, company }) => {
    const answer = await send(service, company, {
      amount: 0,
      externalId: "",
      onCanceledRedirectionUrl: "javascript:alert(1)",
      onCompletedRedirectionUrl: "https://u:p@shop.example",
      metadata: { pad: "x".repeat(16 * 1024) },
    });

    expect([answer.status, fieldsOf(answer)]).toEqual([
      400,
      "amount,description,externalId,metadata,onCanceledRedirectionUrl,onCompletedRedirectionUrl",
    ]);
  });

  test("400: redirection URLs that are none, lead elsewhere than http, or carry a password", async ({
    service,
    company,
  }) => {
    const wrong = [
      "shop.example",
      "/back",
      "//shop.example/back",
      "https://",
      "http://exa mple.com",
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,hello",
      "ftp://shop.example",
      "file:///etc/passwd",
      "https://user@shop.example",
      "https://user:password@shop.example",
      "https://:password@shop.example",
      " https://shop.example",
      "https://shop.example/\r\nSet-Cookie: a=b",
      "https://shop.example/\tb",
      `https://shop.example/${"x".repeat(2_048)}`,
      `https://shop.example/${"é".repeat(500)}`,
    ];
    for (const url of wrong) {
      for (const field of ["onCanceledRedirectionUrl", "onCompletedRedirectionUrl"]) {
        const answer = await send(service, company, { ...chargeRequest, [field]: url });
        expect([answer.status, fieldsOf(answer)], `${field} ${url}`).toEqual([400, field]);
      }
    }
    await expectNothingWritten(service, company);
  });

  test("201: http and https with port, query and fragment; localhost outside production only", async ({
    db,
    service,
    company,
  }) => {
    const anywhere = [
      "http://shop.example",
      "https://shop.example:8443/back?a=1&b=%20#/done",
      "https://bücher.example/zurück?q=ä",
      `https://shop.example/${"x".repeat(2_000)}`,
    ];
    const here = [
      "http://localhost:3000/back",
      "http://LOCALHOST./",
      "http://shop.localhost/",
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0.0.0.0/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
    ];
    const statuses = async (running: TestService, by: TestCompany, urls: readonly string[]) => {
      const answers: string[] = [];
      for (const url of urls) {
        const externalId = `${answers.length} ${url.slice(0, 100)}`;
        const body = { ...chargeRequest, externalId, onCompletedRedirectionUrl: url };
        answers.push(`${url.slice(0, 60)} ${(await send(running, by, body)).status}`);
      }
      return answers;
    };
    const all = (urls: readonly string[], status: number) =>
      urls.map((url) => `${url.slice(0, 60)} ${status}`);
    expect(await statuses(service, company, [...anywhere, ...here])).toEqual(
      all([...anywhere, ...here], 201),
    );

    const production = await startService(db, productionSettings(db));
    try {
      const other = await makeCompany(db.database);
      expect(await statuses(production, other, anywhere)).toEqual(all(anywhere, 201));
      expect(await statuses(production, other, here)).toEqual(all(here, 400));
    } finally {
      await production.stop();
    }
  });

  test("400: metadata above 16 KB or with a number that no double holds; up to that it comes back as given", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const most = { pad: "x".repeat(16 * 1024 - '{"pad":""}'.length) };
    const given = [{}, { b: 1, a: [null, { c: "é" }] }, most];
    for (const [index, metadata] of given.entries()) {
      const id = await charges.made({ externalId: `m${index}`, metadata });
      const { body } = await charges.get(id);
      expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(metadata));
    }
    const more = await charges.create({ metadata: { pad: `${most.pad}x` } });
    expect([more.status, fieldsOf(more)]).toEqual([400, "metadata"]);
    const inexact = `${JSON.stringify(chargeRequest).slice(0, -1)},"metadata":{"n":12345678901234567890}}`;
    const answer = await service.call("POST", path, { token: company.accessToken, body: inexact });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, "metadata"]);
  });

  test("400: a body that is empty, not JSON or not an object", async ({ service, company }) => {
    for (const body of ["", "null", "7", "[]", '"order"', "{", "{}x"]) {
      const answer = await service.call("POST", path, { token: company.accessToken, body });
      expect(answer.status, body).toBe(400);
    }
    await expectNothingWritten(service, company);
  });

  test("401: without a token; 403: with another company's X-Company-Id, whatever the body", async ({
    db,
    service,
    company,
  }) => {
    for (const token of [undefined, "at_wrong"]) {
      const answer = await service.call("POST", path, {
        ...(token === undefined ? {} : { token }),
        body: {},
      });
      expect([answer.status, answer.body.code]).toEqual([401, "invalid_token"]);
    }
    const { id } = await makeCompany(db.database);
    const charges = new ChargeClient(service, company);
    const answer = await charges.create({}, { "X-Company-Id": `com_${id.replaceAll("-", "")}` });
    expect([answer.status, answer.body.code]).toEqual([403, "company_mismatch"]);
    const own = { "x-CoMpAnY-iD": `com_${company.id.replaceAll("-", "")}` };
    expect((await charges.create({}, own)).status).toBe(201);
  });

  test("405: other methods, with those it answers to in Allow", async ({ service, company }) => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, path, { token: company.accessToken });
      expect([answer.status, answer.body.code], method).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
    }
  });

  test("413 and 415: a body above 1 MB; one that does not say it is JSON", async ({
    service,
    company,
  }) => {
    const large = await send(service, company, { ...chargeRequest, x: "x".repeat(1024 * 1024) });
    expect([large.status, large.body.code]).toEqual([413, "body_too_large"]);
    const form = await service.call("POST", path, {
      token: company.accessToken,
      body: "amount=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([form.status, form.body.code]).toEqual([415, "unsupported_media_type"]);
    await expectNothingWritten(service, company);
  });
});

function send(service: TestService, { accessToken: token }: TestCompany, body: object) {
  return service.call("POST", path, { token, body });
}

function fieldsOf({ body }: Answer): string {
  const details = (body.details ?? []) as readonly { field: string }[];
  return [...new Set(details.map(({ field }) => field))].toSorted().join(",");
}

async function expectNothingWritten(service: TestService, { accessToken: token }: TestCompany) {
  expect((await service.call("GET", path, { token })).body.data).toEqual([]);
}
