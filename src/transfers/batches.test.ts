import { describe, expect } from "vitest";
import {
  makeCompany,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const [success, failure] = ["2250700000000", "2250700000001"];
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe("GET /v1/batches/:id", () => {
  test("200: processing, exactly as it was answered at creation", async ({ db, company }) => {
    const service = await startService(db, { ROLES: "api" });
    try {
      const created = await create(service, company, [success, failure, success]);
      const { status, body } = await get(service, company, created.body.id);

      expect([status, body.status]).toEqual([200, "processing"]);
      expect(body).toStrictEqual(created.body);
    } finally {
      await service.stop();
    }
  });

  test("200: completed, partially_completed and failed, each row with its own outcome", async ({
    db,
    service,
    company,
  }) => {
    const expected: Record<string, readonly string[]> = {
      completed: [success, success],
      partially_completed: [success, failure, success],
      failed: [failure, failure],
    };
    const created = new Map<string, { id: string; transactions: readonly object[] }>();
    for (const [status, msisdns] of Object.entries(expected))
      created.set(status, (await create(service, company, msisdns)).body);
    await untilSettled(db.database);

    for (const [status, msisdns] of Object.entries(expected)) {
      const before = created.get(status);
      const { body } = await get(service, company, String(before?.id));
      const completedCount = msisdns.filter((msisdn) => msisdn === success).length;
      const failedCount = msisdns.length - completedCount;
      expect(body).toStrictEqual({
        ...before,
        status,
        completedCount,
        failedCount,
        completedAmount: completedCount * 5_000,
        failedAmount: failedCount * 5_000,
        completedFee: 0,
        updatedAt: timestamp,
        transactions: msisdns.map((msisdn, index) => ({
          ...before?.transactions[index],
          status: msisdn === success ? "completed" : "failed",
          failureReason: msisdn === success ? null : expect.any(String),
          updatedAt: timestamp,
        })),
      });
    }
  });

  test("401, 404, 405: no token, no such batch, another method", async ({ service, company }) => {
    const { id } = (await create(service, company, [success])).body;
    expect((await service.call("GET", `/v1/batches/${id}`)).status).toBe(401);

    const wrong = [
      "bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
      id.replace("bat_", "txn_"),
      id.slice(0, -1),
      "%00",
      "nonsense",
    ];
    for (const one of wrong) {
      const { status, body } = await get(service, company, one);
      expect([status, body.code], one).toEqual([404, "batch_not_found"]);
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, `/v1/batches/${id}`, {
        token: company.accessToken,
      });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
    }
  });
});

describe("GET /v1/batches", () => {
  test("200: newest first without their transactions, page by page and back", async ({
    db,
    service,
    company,
  }) => {
    const token = company.accessToken;
    const logo = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
    const sub = await service.call("POST", "/v1/sub-companies", { token, body: logo });
    const subCompanyId: string = sub.body.id;
    const ids: string[] = [];
    for (let count = 1; count <= 5; count += 1)
      ids.unshift((await create(service, company, [success, failure], { subCompanyId })).body.id);
    await create(service, await makeCompany(db.database), [success]);
    await untilSettled(db.database);

    const first = await list(service, company, "limit=2");
    expect(first.status).toBe(200);
    expect(Object.keys(first.body).toSorted()).toEqual(["count", "cursor", "data", "limit"]);
    expect(first.body).toMatchObject({ count: 2, limit: 2, cursor: { prev: null } });
    expect(first.body.data[0]).toStrictEqual({
      id: ids[0],
      createdAt: timestamp,
      updatedAt: timestamp,
      totalAmount: 10_000,
      totalFee: 0,
      status: "partially_completed",
      subCompanyId,
      count: 2,
      completedCount: 1,
      failedCount: 1,
      completedAmount: 5_000,
      failedAmount: 5_000,
      completedFee: 0,
    });
    const second = await list(service, company, `limit=2&cursor=${first.body.cursor.next}`);
    const third = await list(service, company, `limit=2&cursor=${second.body.cursor.next}`);
    const shown = [first, second, third].flatMap(({ body }) => idsIn(body));
    expect(shown).toEqual(ids);
    expect(third.body.cursor.next).toBeNull();
    const back = await list(service, company, `limit=2&cursor=${second.body.cursor.prev}`);
    expect(back.body).toEqual(first.body);
    expect((await list(service, company)).body).toMatchObject({
      count: 5,
      limit: 15,
      cursor: { prev: null, next: null },
    });
  });

  test("400, 401, 405: a bad limit or cursor, no token, another method", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database);
    for (const _ of [1, 2]) await create(service, other, [success]);
    const foreign = (await list(service, other, "limit=1")).body.cursor.next;
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "limit=1&limit=1",
      "cursor=x",
      "cursor=",
      `cursor=${foreign}`,
    ])
      expect((await list(service, company, query)).status, query).toBe(400);
    expect((await service.call("GET", "/v1/batches")).status).toBe(401);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(
        (await service.call(method, "/v1/batches", { token: company.accessToken })).status,
        method,
      ).toBe(405);
  });
});

function create(
  service: TestService,
  { accessToken: token }: TestCompany,
  msisdns: readonly string[],
  more: object = {},
) {
  const transactions = msisdns.map((msisdn) => ({
    amount: 5_000,
    msisdn,
    reference: crypto.randomUUID(),
  }));
  return service.call("POST", "/v1/transactions/batch", { token, body: { ...more, transactions } });
}

function get(service: TestService, { accessToken: token }: TestCompany, id: string) {
  return service.call("GET", `/v1/batches/${id}`, { token });
}

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", query === "" ? "/v1/batches" : `/v1/batches?${query}`, { token });
}

function idsIn(body: { data: readonly { id: string }[] }): string[] {
  return body.data.map(({ id }) => id);
}
