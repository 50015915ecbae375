import { describe, expect } from "vitest";
import { type TestCompany, type TestService, test } from "../../test/fixtures.ts";

const path = "/v1/sub-companies";
const shop = { name: "Boutique Awa", logoUrl: "https://awa.example/logo.png" };
const unknown = "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

/** Values as they stand in the JSON text, by field. */
const wrong: Record<string, readonly string[]> = {
  isActive: ['"true"', "1", "0", "null", "[]"],
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

describe("PUT /v1/sub-companies/:id", () => {
  test("200: what is left out stays; what is not the caller's to set is ignored", async ({
    service,
    company,
  }) => {
    let { body: now } = await create(service, company, shop);
    const { id, createdAt } = now;
    const changes = [
      { name: "Chez Awa" },
      { logoUrl: "http://awa.example/new.png" },
      { isActive: false },
      { isActive: true, name: "Awa & filles" },
    ];
    for (const change of changes) {
      const forged = { id: unknown, createdAt: "2001-01-01T00:00:00.000Z" };
      const { status, body } = await put(service, company, id, { ...forged, ...change });
      expect(status).toBe(200);
      expect(body).toStrictEqual({ ...now, ...change, id, createdAt, updatedAt: timestamp });
      expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(now.updatedAt));
      now = body;
    }
    expect(Date.parse(now.updatedAt)).toBeGreaterThan(Date.parse(createdAt));
    expect((await get(service, company, id)).body).toStrictEqual(now);
  });

  test("200: an empty object, only unknown fields, and no body at all change nothing", async ({
    service,
    company,
  }) => {
    const { body: created } = await create(service, company, shop);
    const { accessToken: token } = company;
    const json = { "content-type": "application/json" };
    for (const options of [{ body: {} }, { body: { other: 1 } }, { headers: json }, {}]) {
      const answer = await service.call("PUT", `${path}/${created.id}`, { token, ...options });
      expect([answer.status, answer.body], JSON.stringify(options)).toStrictEqual([200, created]);
    }
    expect((await get(service, company, created.id)).body).toStrictEqual(created);
  });

  test("400, 401, 404: a wrong value; no token; no such id, whatever the values", async ({
    service,
    company,
  }) => {
    const { body: created } = await create(service, company, shop);
    for (const [field, texts] of Object.entries(wrong)) {
      for (const text of texts) {
        const body = bodyWith({}, field, text);
        const answer = await put(service, company, created.id, body);
        expect([answer.status, fieldsOf(answer.body)], body.slice(0, 90)).toEqual([400, field]);
      }
    }
    expect((await put(service, company, created.id, "{")).status).toBe(400);
    expect((await put(service, company, created.id, "[]")).status).toBe(400);
    const address = `${path}/${created.id}`;
    expect((await service.call("PUT", address, { body: { name: "x" } })).status).toBe(401);
    for (const id of [unknown, "nonsense", "%00"])
      for (const body of [{ name: "x" }, { name: "" }, {}])
        expect((await put(service, company, id, body)).status, id).toBe(404);
    expect((await get(service, company, created.id)).body).toStrictEqual(created);
  });

  test("422 on a transfer while it is inactive, 201 before and after", async ({
    service,
    company,
  }) => {
    const { id } = (await create(service, company, shop)).body;
    const transfer = async (reference: string) => {
      const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
      return service.call("POST", "/v1/transactions", {
        token: company.accessToken,
        body: { ...body, subCompanyId: id },
      });
    };
    expect((await transfer("before")).status).toBe(201);
    await put(service, company, id, { isActive: false });
    const refused = await transfer("meanwhile");
    expect([refused.status, refused.body.code]).toEqual([422, "sub_company_inactive"]);
    await put(service, company, id, { isActive: true });
    expect((await transfer("meanwhile")).status).toBe(201);
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

function put(service: TestService, company: TestCompany, id: string, body: unknown) {
  return service.call("PUT", `${path}/${id}`, { token: company.accessToken, body });
}

function fieldsOf(problem: { details: readonly { field: string }[] }): string {
  return [...new Set(problem.details.map(({ field }) => field))].join(",");
}
