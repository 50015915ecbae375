import { describe, expect } from "vitest";
import {
  makeCustomer,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions";

describe("GET /v1/transactions/:id", () => {
  test("200: a pending transaction exactly as it was answered at creation", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ROLES: "api" });
    try {
      const created = await create(service, company, "rent", "+2250700000000");
      const { status, body, headers } = await get(service, company, created.body.id);

      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(body).toStrictEqual(created.body);
    } finally {
      await service.stop();
    }
  });

  test("200: completed, or failed with one of the documented reasons; nothing else changes", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, "2250100000001");
    await makeCustomer(db.database, "2250100000002", "complete", 4_999);
    const expected: Record<string, readonly unknown[]> = {
      "2250700000000": ["completed", null],
      "+2250100000001": ["completed", null],
      "+2250100000002": ["failed", "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT"],
      "2250100000003": ["failed", "SERVICE_ACCOUNT_NOT_FOUND"],
      "2250700000001": ["failed", expect.stringMatching(documentedReason)],
    };
    const created = new Map<string, Record<string, unknown>>();
    for (const msisdn of Object.keys(expected))
      created.set(msisdn, (await create(service, company, msisdn, msisdn)).body);
    await untilSettled(db.database);

    for (const [msisdn, [status, failureReason]] of Object.entries(expected)) {
      const before = created.get(msisdn);
      const answer = await get(service, company, String(before?.["id"]));
      expect(answer.status).toBe(200);
      expect(answer.body).toStrictEqual({
        ...before,
        status,
        failureReason,
        updatedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      });
      expect(Date.parse(answer.body.updatedAt)).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  test("401: without a token, whether the id is known or not", async ({ service, company }) => {
    const created = await create(service, company, "rent");
    for (const id of [created.body.id, "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6", "nonsense"]) {
      const { status, body } = await service.call("GET", `${path}/${id}`);
      expect([status, body.code], id).toEqual([401, "invalid_token"]);
    }
  });

  test("404: an id that is unknown, malformed or of another kind", async ({ service, company }) => {
    const { body: created } = await create(service, company, "rent");
    const wrong = [
      "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
      created.id.replace("txn_", "bat_"),
      created.id.replace("txn_", "TXN_"),
      created.id.replace("txn_", ""),
      created.id.slice(0, -1),
      `${created.id}0`,
      `${created.id}%20`,
      `${created.id}%00`,
      "txn_",
      "%00",
      "%F0%9F%98%80",
      "..%2Fbalance",
      "'%20or%20'1'%3D'1",
      "x".repeat(290),
    ];
    for (const id of wrong) {
      const { status, body } = await get(service, company, id);
      expect([status, body.code], id).toEqual([404, "transaction_not_found"]);
      expect(body).not.toHaveProperty("details");
    }
  });

  test("404: an id that is far too long, or whose percent-encoding is malformed", async ({
    service,
    company,
  }) => {
    const wrong = ["x".repeat(400), "x".repeat(4_000), "%", "%zz", "%ff", "txn_%E0%A4%A"];
    const answers: string[] = [];
    for (const id of wrong)
      answers.push(`${id.slice(0, 20)}: ${(await get(service, company, id)).status}`);
    expect(answers).toEqual(wrong.map((id) => `${id.slice(0, 20)}: 404`));
  });

  test("405: every other method, with GET and HEAD in Allow", async ({ service, company }) => {
    const { body } = await create(service, company, "rent");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, `${path}/${body.id}`, {
        token: company.accessToken,
      });
      expect([answer.status, answer.body.code], method).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
    }
    expect((await get(service, company, body.id)).status).toBe(200);
  });
});

const documentedReason =
  /^(?:TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT|SERVICE_ACCOUNT_NOT_FOUND|INTERNAL_ERROR|UNKNOWN_ERROR)$/;

function create(
  service: TestService,
  { accessToken: token }: TestCompany,
  reference: string,
  msisdn = "2250700000000",
) {
  const body = { type: "transfer", amount: 5_000, msisdn, reference, metadata: { a: [1, null] } };
  return service.call("POST", path, { token, body });
}

function get(service: TestService, { accessToken: token }: TestCompany, id: string) {
  return service.call("GET", `${path}/${id}`, { token });
}
