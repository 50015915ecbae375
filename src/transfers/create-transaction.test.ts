import { describe, expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions";
const request = {
  type: "transfer",
  amount: 5_000,
  msisdn: "2250700000000",
  reference: "rent",
};
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe("POST /v1/transactions", () => {
  test("201: a pending transaction with exactly the documented fields", async ({
    service,
    company,
  }) => {
    const { status, body } = await create(service, company, request);

    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^txn_[0-9a-f]{32}$/),
      amount: 5_000,
      fee: 0,
      totalAmount: 5_000,
      msisdn: "2250700000000",
      status: "pending",
      reference: "rent",
      serviceTransactionReference: expect.stringMatching(/^[0-9A-Z-]{4,24}$/),
      type: "transfer",
      createdAt: timestamp,
      updatedAt: body.createdAt,
      failureReason: null,
      metadata: null,
      description: null,
    });
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test("201: description, metadata and subCompanyId come back; the reference the recipient sees is unique", async ({
    service,
    company,
  }) => {
    const subCompanyId = await makeSubCompany(service, company);
    const more = { description: "July", metadata: { flat: 12 }, subCompanyId };
    const first = await create(service, company, { ...request, ...more });
    const second = await create(service, company, { ...request, ...more, reference: "rent 2" });

    expect(first.status).toBe(201);
    expect(first.body).toMatchObject(more);
    expect(Object.keys(first.body).toSorted()).toEqual([
      "amount",
      "createdAt",
      "description",
      "failureReason",
      "fee",
      "id",
      "metadata",
      "msisdn",
      "reference",
      "serviceTransactionReference",
      "status",
      "subCompanyId",
      "totalAmount",
      "type",
      "updatedAt",
    ]);
    expect(second.body.serviceTransactionReference).not.toBe(
      first.body.serviceTransactionReference,
    );
  });

  test("201: fields that are not the caller's to set, and unknown ones, change nothing", async ({
    service,
    company,
  }) => {
    const forged = {
      currency: "XOF",
      id: "txn_00000000000000000000000000000000",
      companyId: "com_00000000000000000000000000000000",
      status: "completed",
      fee: -5_000,
      totalAmount: 1,
      batchId: "bat_00000000000000000000000000000000",
      serviceTransactionReference: "FORGED",
      failureReason: "UNKNOWN_ERROR",
      createdAt: "2001-01-01T00:00:00.000Z",
      updatedAt: "2001-01-01T00:00:00.000Z",
    };
    const { status, body } = await create(service, company, { ...forged, ...request });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "pending",
      fee: 0,
      totalAmount: 5_000,
      failureReason: null,
    });
    for (const name of ["id", "serviceTransactionReference", "createdAt", "updatedAt"] as const)
      expect(body[name], name).not.toBe(forged[name]);
    for (const name of ["currency", "companyId", "batchId"]) expect(body).not.toHaveProperty(name);
    expect(await balanceOf(service, company)).toBe(995_000);
  });

  test("201: msisdn as written, + or not, 8 to 15 digits; both bounds, and a whole amount however written", async ({
    service,
    company,
  }) => {
    const accepted: number[] = [];
    for (const [index, amount] of ["5000", "500000", "7500.0", "5e3", "0.6E4"].entries()) {
      const answer = await create(
        service,
        company,
        `{"type":"transfer","msisdn":"2250700000000","reference":"n${index}","amount":${amount}}`,
      );
      expect(answer.status, amount).toBe(201);
      accepted.push(answer.body.amount);
    }

    expect(accepted).toEqual([5_000, 500_000, 7_500, 5_000, 6_000]);
    expect(await balanceOf(service, company)).toBe(1_000_000 - 523_500);

    for (const msisdn of ["+2250700000000", "2250700000000", "12345678", "+123456789012345"]) {
      const body = { ...request, msisdn, reference: msisdn };
      const answer = await create(service, company, body);
      expect([answer.status, answer.body.msisdn]).toEqual([201, msisdn]);
    }
  });

  test("201: the company's own fee and bounds hold; amount and fee leave the balance at once", async ({
    db,
    service,
  }) => {
    // 1.5 % and 10 francs flat, at least 50, at most 200; a half franc is rounded up.
    const company = await makeCompany(db.database, {
      fund: 100_000,
      transferFee: { ratePpm: 15_000, flat: 10, min: 50, max: 200 },
      transferAmount: { min: 100, max: 20_000 },
    });
    const fees: Record<number, number> = { 100: 50, 5_000: 85, 5_100: 87, 20_000: 200 };
    for (const [amount, fee] of Object.entries(fees)) {
      const { body } = await create(service, company, {
        ...request,
        amount: Number(amount),
        reference: amount,
      });
      expect(body).toMatchObject({ fee, totalAmount: Number(amount) + fee });
    }

    expect(await balanceOf(service, company)).toBe(100_000 - 30_200 - 422);
    for (const amount of [99, 20_001])
      expect((await create(service, company, { ...request, amount })).status).toBe(400);
  });

  test("401: without a token and with a wrong one; nothing is written", async ({
    service,
    company,
  }) => {
    for (const token of [undefined, `at_${"x".repeat(43)}`]) {
      const { status, body } = await service.call("POST", path, {
        ...(token === undefined ? {} : { token }),
        body: request,
      });
      expect([status, body.code]).toEqual([401, "invalid_token"]);
    }
    expect(await referencesOf(service, company)).toEqual([]);
  });

  test("402: amount and fee together above the balance; the last franc can be spent", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, {
      fund: 10_100,
      transferFee: { ratePpm: 0, flat: 100, min: 0, max: null },
    });
    const refused = await create(service, company, { ...request, amount: 10_001 });

    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ error: "Payment Required", code: "insufficient_funds" });
    expect(await referencesOf(service, company)).toEqual([]);
    expect(await balanceOf(service, company)).toBe(10_100);

    expect((await create(service, company, { ...request, amount: 10_000 })).status).toBe(201);
    expect(await balanceOf(service, company)).toBe(0);
    expect((await create(service, company, { ...request, reference: "more" })).status).toBe(402);
  });

  test("409: a used reference, for ever, with the id of the transaction that has it", async ({
    db,
    service,
    company,
  }) => {
    // Another company's are its own: the answer names none of them.
    const other = await makeCompany(db.database);
    for (const reference of [request.reference, "in a batch"])
      expect((await create(service, other, { ...request, reference })).status).toBe(201);
    const poor = await makeCompany(db.database, { fund: 1_000 });
    const refused = await create(service, poor, request);
    expect([refused.status, refused.body.details ?? []]).toEqual([402, []]);
    const single = await create(service, company, { ...request, msisdn: "2250700000001" });
    const batch = await service.call("POST", `${path}/batch`, {
      token: company.accessToken,
      body: { transactions: [{ ...request, reference: "in a batch" }] },
    });
    await untilSettled(db.database);
    const used = { rent: single.body.id, "in a batch": batch.body.transactions[0].id };
    for (const [reference, id] of Object.entries(used)) {
      const { status, body } = await create(service, company, {
        ...request,
        reference,
        amount: 6_000,
      });
      expect(status).toBe(409);
      expect(body).toMatchObject({ error: "Conflict", code: "duplicate_reference" });
      expect(body.details).toEqual([
        { field: "reference", code: "duplicate_reference", message: expect.any(String), id },
      ]);
    }

    // The failed one came back, the refused ones never left, and another letter case is another reference.
    expect(await balanceOf(service, company)).toBe(995_000);
    expect((await create(service, company, { ...request, reference: "Rent" })).status).toBe(201);
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("422: a sub-company that is unknown, malformed, another company's or inactive", async ({
    db,
    service,
    company,
  }) => {
    const foreign = await makeSubCompany(service, await makeCompany(db.database));
    const inactive = await makeSubCompany(service, company);
    await service.call("PUT", `/v1/sub-companies/${inactive}`, {
      token: company.accessToken,
      body: { isActive: false },
    });
    const expected: Record<string, string> = {
      subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6: "sub_company_not_found",
      "subco_'; drop table transfers": "sub_company_not_found",
      "\u0000": "sub_company_not_found",
      [foreign]: "sub_company_not_found",
      [inactive]: "sub_company_inactive",
    };
    for (const [subCompanyId, code] of Object.entries(expected)) {
      const { status, body } = await create(service, company, { ...request, subCompanyId });
      expect([status, body.code], subCompanyId).toEqual([422, code]);
    }
    expect(await referencesOf(service, company)).toEqual([]);
    expect(await balanceOf(service, company)).toBe(1_000_000);
  });
});

function create(service: TestService, company: TestCompany, body: unknown) {
  return service.call("POST", path, { token: company.accessToken, body });
}

async function balanceOf(service: TestService, { accessToken: token }: TestCompany) {
  return (await service.call("GET", "/v1/balance", { token })).body.balance;
}

async function referencesOf(service: TestService, { accessToken: token }: TestCompany) {
  const { body } = await service.call("GET", path, { token });
  return body.data.map(({ reference }: { reference: string }) => reference);
}

async function makeSubCompany(service: TestService, { accessToken: token }: TestCompany) {
  const body = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  return (await service.call("POST", "/v1/sub-companies", { token, body })).body.id;
}
