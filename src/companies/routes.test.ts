import { describe, expect } from "vitest";
import {
  productionSettings,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";

const path = "/v1/sub-companies";
const shop = { name: "Boutique Awa", logoUrl: "https://awa.example/logo.png" };
const unknown = "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

/** Values as they stand in the JSON text, by field. */
const wrong: Record<string, readonly string[]> = {
  name: ['""', "7", "null", "true", "[]", '["Shop"]', '"\\u0000"', '"\\ud83d"', quoted(101)],
  logoUrl: [
    '""',
    "7",
    "null",
    "true",
    "[]",
    '"shop.example/logo.png"',
    '"//shop.example/logo.png"',
    '"ftp://shop.example/logo.png"',
    '"javascript:alert(1)"',
    '"data:image/png;base64,AA=="',
    '"file:///etc/passwd"',
    '"https://"',
    '"https://a b/"',
    '"https://shop.example/\\u0000"',
    `"https://shop.example/${"x".repeat(2_049 - 21)}"`,
  ],
};

describe("GET /v1/balance", () => {
  test("200, 401, 405: what can be spent, in XOF; no token; another method", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const before = await service.call("GET", "/v1/balance", { token });
    expect(before.status).toBe(200);
    expect(before.body).toStrictEqual({ balance: 1_000_000, currency: "XOF" });

    const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "a" };
    await service.call("POST", "/v1/transactions", { token, body });
    const after = await service.call("GET", "/v1/balance", { token });
    expect(after.body).toStrictEqual({ balance: 995_000, currency: "XOF" });

    expect((await service.call("GET", "/v1/balance")).status).toBe(401);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, "/v1/balance", { token });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
    }
  });
});

describe("POST /v1/sub-companies", () => {
  test("201: active, with exactly the documented fields, whatever else is sent", async ({
    service,
    company,
  }) => {
    const forged = { id: unknown, isActive: false, createdAt: "2001-01-01T00:00:00.000Z" };
    const { status, body } = await create(service, company, { ...shop, ...forged });

    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^subco_[0-9a-f]{32}$/),
      createdAt: timestamp,
      updatedAt: body.createdAt,
      ...shop,
      isActive: true,
    });
    expect([body.id, body.createdAt]).not.toContain(forged.id);
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test("201: names of 1 and 100 characters, logos over http and of 2 048 characters", async ({
    service,
    company,
  }) => {
    const longest = `https://shop.example/${"x".repeat(2_048 - 21)}`;
    const accepted = [
      { ...shop, name: "A" },
      { ...shop, name: "x".repeat(100) },
      { ...shop, name: "😀".repeat(100) },
      { ...shop, logoUrl: "http://shop.example/logo.png?v=1#top" },
      { ...shop, logoUrl: longest },
    ];
    for (const body of accepted) {
      const answer = await create(service, company, body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(201);
      expect(answer.body).toMatchObject(body);
    }
  });

  test("400: a wrong or missing name or logoUrl; nothing is written", async ({
    service,
    company,
  }) => {
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const body = bodyWith(shop, field, value);
        const answer = await create(service, company, body);
        expect([answer.status, fieldsOf(answer.body)], body.slice(0, 90)).toEqual([400, field]);
      }
      const answer = await create(service, company, { ...shop, [field]: undefined });
      expect([answer.status, fieldsOf(answer.body)]).toEqual([400, field]);
    }
    for (const body of ["", "{", "null", "[]", '{"__proto__":{"name":"a"}}'])
      expect((await create(service, company, body)).status, body).toBe(400);
    expect((await list(service, company)).body.data).toEqual([]);
  });

  test("400: a logo over http in production; https is accepted", async ({ db, company }) => {
    const service = await startService(db, productionSettings(db));
    try {
      const http = { ...shop, logoUrl: "http://awa.example/logo.png" };
      const refused = await create(service, company, http);
      expect([refused.status, fieldsOf(refused.body)]).toEqual([400, "logoUrl"]);
      const { status, body } = await create(service, company, shop);
      expect(status).toBe(201);

      const changed = await put(service, company, body.id, { logoUrl: http.logoUrl });
      expect([changed.status, fieldsOf(changed.body)]).toEqual([400, "logoUrl"]);
      expect((await get(service, company, body.id)).body.logoUrl).toBe(shop.logoUrl);
    } finally {
      await service.stop();
    }
  });

  test("401, 405, 413, 415: no token, another method, too much, not JSON", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    expect((await service.call("POST", path, { body: shop })).status).toBe(401);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, path, { token });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
    }
    const large = await create(service, company, { ...shop, pad: "x".repeat(1024 * 1024) });
    expect([large.status, large.body.code]).toEqual([413, "body_too_large"]);
    const headers = { "content-type": "text/plain" };
    const text = await service.call("POST", path, { token, headers, body: JSON.stringify(shop) });
    expect([text.status, text.body.code]).toEqual([415, "unsupported_media_type"]);
    expect((await list(service, company)).body.data).toEqual([]);
  });
});

describe("GET /v1/sub-companies/:id", () => {
  test("200, 401, 404, 405: as created; no token; no such id; no way to delete", async ({
    service,
    company,
  }) => {
    const { body: created } = await create(service, company, shop);
    const { status, body } = await get(service, company, created.id);
    expect(status).toBe(200);
    expect(body).toStrictEqual(created);

    expect((await service.call("GET", `${path}/${created.id}`)).status).toBe(401);
    for (const id of [
      unknown,
      created.id.slice(0, -1),
      created.id.replace("subco", "txn"),
      "%00",
    ]) {
      const answer = await get(service, company, id);
      expect([answer.status, answer.body.code], id).toEqual([404, "sub_company_not_found"]);
    }
    for (const method of ["POST", "PATCH", "DELETE"]) {
      const answer = await service.call(method, `${path}/${created.id}`, {
        token: company.accessToken,
      });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "PUT"]);
    }
  });
});

describe("GET /v1/sub-companies", () => {
  test("200: newest first, inactive ones too, page by page and back", async ({
    service,
    company,
  }) => {
    expect((await list(service, company)).body).toStrictEqual({
      count: 0,
      limit: 15,
      cursor: { prev: null, next: null },
      data: [],
    });
    const created: { id: string }[] = [];
    for (const name of ["a", "b", "c"])
      created.unshift((await create(service, company, { ...shop, name })).body);
    const { body: inactive } = await put(service, company, String(created[0]?.id), {
      isActive: false,
    });
    const first = await list(service, company, "?limit=2");
    const second = await list(service, company, `?limit=2&cursor=${first.body.cursor.next}`);
    const back = await list(service, company, `?limit=2&cursor=${second.body.cursor.prev}`);

    expect([first.body.count, second.body.count]).toEqual([2, 1]);
    expect([...first.body.data, ...second.body.data]).toStrictEqual([
      inactive,
      ...created.slice(1),
    ]);
    expect([first.body.cursor.prev, second.body.cursor.next]).toEqual([null, null]);
    expect(back.body).toEqual(first.body);
  });

  test("400, 401: a bad limit or cursor; no token", async ({ service, company }) => {
    for (const query of ["limit=0", "limit=101", "limit=x", "limit=", "limit=1&limit=1"])
      expect((await list(service, company, `?${query}`)).status, query).toBe(400);
    for (const query of ["cursor=", "cursor=x", "cursor=%00"])
      expect((await list(service, company, `?${query}`)).status, query).toBe(400);
    expect((await service.call("GET", path)).status).toBe(401);
  });
});

function quoted(length: number): string {
  return JSON.stringify("x".repeat(length));
}

function bodyWith(rest: Record<string, unknown>, field: string, value: string): string {
  const open = JSON.stringify({ ...rest, [field]: undefined }).slice(0, -1);
  return `${open}${open === "{" ? "" : ","}"${field}":${value}}`;
}

function create(service: TestService, { accessToken: token }: TestCompany, body: unknown) {
  return service.call("POST", path, { token, body });
}

function get(service: TestService, { accessToken: token }: TestCompany, id: string) {
  return service.call("GET", `${path}/${id}`, { token });
}

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", path + query, { token });
}

function put(service: TestService, company: TestCompany, id: string, body: unknown) {
  return service.call("PUT", `${path}/${id}`, { token: company.accessToken, body });
}

function fieldsOf(problem: { details: readonly { field: string }[] }): string {
  return [...new Set(problem.details.map(({ field }) => field))].join(",");
}
