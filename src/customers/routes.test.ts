import { describe, expect } from "vitest";
import {
  makeCompany,
  makeCustomer,
  productionSettings,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions/customers/check";
const nobody = { kycStatus: "unknown", firstName: "unknown", lastName: "unknown" };

describe("GET /v1/transactions/customers/check", () => {
  test("200: who it is, + or not, exactly three fields; unknown when there is nobody; the test numbers", async ({
    db,
    service,
    company,
  }) => {
    const statuses = ["complete", "pending", "incomplete", "rejected"] as const;
    for (const [index, kycStatus] of statuses.entries())
      await makeCustomer(db.database, `225010000000${index}`, kycStatus);

    for (const [index, kycStatus] of statuses.entries()) {
      const { status, body } = await check(service, company, `msisdn=225010000000${index}`);
      expect(status).toBe(200);
      expect(body).toStrictEqual({ kycStatus, firstName: "Awa", lastName: "Diop" });
    }
    const { status, body } = await check(service, company, "msisdn=2250100000009");
    expect(status).toBe(200);
    expect(body).toStrictEqual(nobody);
    for (const length of [8, 15])
      expect((await check(service, company, `msisdn=${"1".repeat(length)}`)).body).toEqual(nobody);
    for (const msisdn of ["%2B2250100000001", "+2250100000001"])
      expect((await check(service, company, `msisdn=${msisdn}`)).body.kycStatus).toBe("pending");

    // The two test numbers answer as a transfer to them ends.
    const success = await check(service, company, "msisdn=2250700000000");
    expect(success.body).toStrictEqual({
      kycStatus: "complete",
      firstName: expect.any(String),
      lastName: expect.any(String),
    });
    expect((await check(service, company, "msisdn=2250700000001")).body).toStrictEqual(nobody);
  });

  test("200: in production the test numbers are numbers like any other", async ({
    db,
    company,
  }) => {
    await makeCustomer(db.database, "2250700000001", "pending");
    const service = await startService(db, productionSettings(db));
    try {
      expect((await check(service, company, "msisdn=2250700000000")).body).toStrictEqual(nobody);
      const known = await check(service, company, "msisdn=2250700000001");
      expect(known.body.kycStatus).toBe("pending");

      const created = await Promise.all(
        ["2250700000000", "2250700000001"].map((msisdn) =>
          service.call("POST", "/v1/transactions", {
            token: company.accessToken,
            body: { type: "transfer", amount: 5_000, msisdn, reference: msisdn },
          }),
        ),
      );
      await untilSettled(db.database);
      const ended = await Promise.all(
        created.map(({ body }) =>
          service.call("GET", `/v1/transactions/${body.id}`, { token: company.accessToken }),
        ),
      );
      expect(ended.map(({ body }) => [body.status, body.failureReason])).toEqual([
        ["failed", "SERVICE_ACCOUNT_NOT_FOUND"],
        ["completed", null],
      ]);
    } finally {
      await service.stop();
    }
  });

  test("400: msisdn missing, malformed or given twice", async ({ service, company }) => {
    const queries = [
      "",
      "msisdn",
      "msisdn=",
      "msisdn=07",
      "msisdn=1234567",
      "msisdn=1234567890123456",
      "msisdn=22501000x0001",
      "msisdn=%2B%2B2250100000001",
      "msisdn=2250100000001%00",
      "msisdn=2250100000001%0A",
      "msisdn=%FF",
      "msisdn=2250100000001&msisdn=2250100000001",
    ];
    for (const query of queries) {
      const { status, body } = await check(service, company, query);
      expect([status, body.code, body.details[0].field], query).toEqual([
        400,
        "invalid_request",
        "msisdn",
      ]);
    }
    for (const name of ["msisdn[]", "MSISDN"]) {
      const { status, body } = await check(service, company, `${name}=2250100000001`);
      const [{ field }] = body.details;
      expect([status, body.code, field]).toEqual([400, "unknown_parameter", name]);
    }
  });

  test("401, 405: no token, another method", async ({ service, company }) => {
    expect((await service.call("GET", `${path}?msisdn=2250700000000`)).status).toBe(401);
    expect((await service.call("GET", path)).status).toBe(401);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, path, { token: company.accessToken });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
    }
  });

  test("422: a sub-company that is unknown, another company's or inactive; 200 for an active one", async ({
    db,
    service,
    company,
  }) => {
    const active = await makeSubCompany(service, company);
    const foreign = await makeSubCompany(service, await makeCompany(db.database));
    const inactive = await makeSubCompany(service, company);
    await service.call("PUT", `/v1/sub-companies/${inactive}`, {
      token: company.accessToken,
      body: { isActive: false },
    });
    const query = "msisdn=2250700000000&subCompanyId=";
    expect((await check(service, company, query + active)).body.kycStatus).toBe("complete");
    for (const id of ["subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6", "nonsense", "%00", foreign]) {
      const { status, body } = await check(service, company, query + id);
      expect([status, body.code], id).toEqual([422, "sub_company_not_found"]);
    }
    const refused = await check(service, company, query + inactive);
    expect([refused.status, refused.body.code]).toEqual([422, "sub_company_inactive"]);
  });
});

function check(service: TestService, { accessToken: token }: TestCompany, query: string) {
  return service.call("GET", query === "" ? path : `${path}?${query}`, { token });
}

async function makeSubCompany(service: TestService, { accessToken: token }: TestCompany) {
  const body = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  return (await service.call("POST", "/v1/sub-companies", { token, body })).body.id;
}
