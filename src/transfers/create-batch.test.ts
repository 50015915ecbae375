import { describe, expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions/batch";
const row = (reference: string, more: object = {}) => ({
  amount: 5_000,
  msisdn: "2250700000000",
  reference,
  ...more,
});

describe("POST /v1/transactions/batch", () => {
  test("201: a processing batch and its pending transactions in their order, exactly the documented fields", async ({
    db,
  }) => {
    // Without a worker, so that everything stays reserved.
    const service = await startService(db, { ROLES: "api" });
    const company = await makeCompany(db.database, {
      fund: 1_000_000,
      transferFee: { ratePpm: 0, flat: 25, min: 0, max: null },
    });
    const transactions = [
      row("b", { description: "salary", metadata: { staff: [1, null] } }),
      row("a", { type: "transfer", msisdn: "+2250700000001", amount: 7_000 }),
      row("c"),
    ];
    const { status, body } = await create(service, company, { transactions });

    expect(status).toBe(201);
    const { transactions: rows, ...batch } = body;
    expect(batch).toStrictEqual({
      id: expect.stringMatching(/^bat_[0-9a-f]{32}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updatedAt: body.createdAt,
      totalAmount: 17_000,
      totalFee: 75,
      status: "processing",
      count: 3,
      completedCount: 0,
      failedCount: 0,
      completedAmount: 0,
      failedAmount: 0,
      completedFee: 0,
    });
    expect(rows).toHaveLength(3);
    for (const [index, { id, serviceTransactionReference, ...shown }] of rows.entries()) {
      const asked = { description: null, metadata: null, ...row(""), ...transactions[index] };
      expect(id).toMatch(/^txn_[0-9a-f]{32}$/);
      expect(serviceTransactionReference).toMatch(/^[0-9A-Z-]{4,24}$/);
      expect(shown).toStrictEqual({
        ...asked,
        type: "transfer",
        fee: 25,
        totalAmount: asked.amount + 25,
        status: "pending",
        batchId: batch.id,
        createdAt: expect.any(String),
        updatedAt: shown.createdAt,
        failureReason: null,
      });
    }
    expect(new Set(rows.map(({ id }: { id: string }) => id)).size).toBe(3);
    expect(await balanceOf(service, company)).toBe(1_000_000 - 17_075);
    await service.stop();
  });

  test("201: the batch's sub-company is its rows' unless a row names its own; unknown fields change nothing", async ({
    service,
    company,
  }) => {
    const [ours, theirs] = [
      await makeSubCompany(service, company),
      await makeSubCompany(service, company),
    ];
    const whole = await create(service, company, {
      currency: "XOF",
      status: "completed",
      totalAmount: 1,
      subCompanyId: ours,
      transactions: [row("a", { status: "failed", fee: -1 }), row("b", { subCompanyId: theirs })],
    });
    const single = await create(service, company, {
      transactions: [row("c"), row("d", { subCompanyId: theirs })],
    });

    expect([whole.status, single.status]).toEqual([201, 201]);
    expect(whole.body).toMatchObject({
      subCompanyId: ours,
      status: "processing",
      totalAmount: 10_000,
    });
    expect(whole.body.transactions[0]).toMatchObject({ status: "pending", fee: 0 });
    expect(subCompaniesOf(whole.body)).toEqual([ours, theirs]);
    expect(single.body).not.toHaveProperty("subCompanyId");
    expect(subCompaniesOf(single.body)).toEqual([undefined, theirs]);
    expect(single.body.transactions[0]).not.toHaveProperty("subCompanyId");
  });

  test("201: a body of several megabytes", async ({ db, service }) => {
    const company = await makeCompany(db.database, { fund: 5_000_000 });
    const transactions = Array.from({ length: 300 }, (_, index) =>
      row(`r${index}`, { metadata: { pad: "x".repeat(10_000) } }),
    );
    const { status, body } = await create(service, company, { transactions });

    expect([status, body.transactions.length]).toEqual([201, 300]);
    expect(body.transactions[299].metadata).toEqual({ pad: "x".repeat(10_000) });
  });

  test("402: the total with fees above the balance, though each row fits; nothing is written", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, {
      fund: 20_000,
      transferFee: { ratePpm: 0, flat: 1, min: 0, max: null },
    });
    const transactions = ["a", "b", "c", "d"].map((reference) => row(reference));
    const refused = await create(service, company, { transactions });

    expect([refused.status, refused.body.code]).toEqual([402, "insufficient_funds"]);
    await expectNothingWritten(service, company, 20_000);
    const fits = await create(service, company, { transactions: transactions.slice(1) });
    expect(fits.status).toBe(201);
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("409: every used reference with its index and what has it; nothing is written", async ({
    service,
    company,
  }) => {
    const single = await service.call("POST", "/v1/transactions", {
      token: company.accessToken,
      body: row("single", { type: "transfer" }),
    });
    const batch = await create(service, company, { transactions: [row("x"), row("batched")] });
    const { status, body } = await create(service, company, {
      transactions: [row("new"), row("single"), row("newer"), row("batched")],
    });

    expect([status, body.code]).toEqual([409, "duplicate_reference"]);
    const detail = { field: "reference", code: "duplicate_reference", message: expect.any(String) };
    expect(body.details).toEqual([
      { ...detail, index: 1, id: single.body.id },
      { ...detail, index: 3, id: batch.body.transactions[1].id },
    ]);
    await expectNothingWritten(service, company, 985_000, ["batched", "x", "single"]);
  });

  test("409: every reference that stands twice in the batch with its index; nothing is written", async ({
    service,
    company,
  }) => {
    const { status, body } = await create(service, company, {
      transactions: ["a", "b", "a", "c", "b", "a"].map((reference) => row(reference)),
    });

    expect([status, body.code]).toEqual([409, "duplicate_reference"]);
    expect(indexesOf(body)).toEqual([2, 4, 5]);
    await expectNothingWritten(service, company);
  });

  test("409: used and repeated references in one batch are all named", async ({
    service,
    company,
  }) => {
    const used = await create(service, company, { transactions: [row("used")] });
    const { status, body } = await create(service, company, {
      transactions: [row("a"), row("used"), row("b"), row("a")],
    });

    expect(status).toBe(409);
    expect(indexesOf(body)).toEqual([1, 3]);
    const [first] = body.details.filter(({ index }: { index: number }) => index === 1);
    expect(first.id).toBe(used.body.transactions[0].id);
    await expectNothingWritten(service, company, 995_000, ["used"]);
  });

  test("422: a sub-company of the batch or of a row that cannot be used; nothing is written", async ({
    db,
    service,
    company,
  }) => {
    const good = await makeSubCompany(service, company);
    const foreign = await makeSubCompany(service, await makeCompany(db.database));
    const inactive = await makeSubCompany(service, company);
    await service.call("PUT", `/v1/sub-companies/${inactive}`, {
      token: company.accessToken,
      body: { isActive: false },
    });
    const unknown = "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6";
    for (const subCompanyId of [unknown, "nonsense", foreign, inactive]) {
      const code = subCompanyId === inactive ? "sub_company_inactive" : "sub_company_not_found";
      const whole = await create(service, company, { subCompanyId, transactions: [row("a")] });
      expect([whole.status, whole.body.code], subCompanyId).toEqual([422, code]);
      // A row that names its own does not make the batch's good.
      const covered = [row("a", { subCompanyId: good })];
      const hidden = await create(service, company, { subCompanyId, transactions: covered });
      expect([hidden.status, hidden.body.code], subCompanyId).toEqual([422, code]);

      const transactions = [row("a"), row("b", { subCompanyId: good }), row("c", { subCompanyId })];
      const one = await create(service, company, { subCompanyId: good, transactions });
      expect([one.status, one.body.code], subCompanyId).toEqual([422, code]);
    }
    await expectNothingWritten(service, company);
  });

  test("422: every row with a sub-company that cannot be used is named by index", async ({
    service,
    company,
  }) => {
    const unknown = { subCompanyId: "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6" };
    const transactions = [row("a"), row("b", unknown), row("c"), row("d", unknown)];
    const { status, body } = await create(service, company, { transactions });

    expect(status).toBe(422);
    expect(indexesOf(body)).toEqual([1, 3]);
  });
});

function create(service: TestService, company: TestCompany, body: unknown) {
  return service.call("POST", path, { token: company.accessToken, body });
}

function indexesOf(problem: { details: readonly { index: number }[] }): number[] {
  return [...new Set(problem.details.map(({ index }) => index))].toSorted((a, b) => a - b);
}

function subCompaniesOf(batch: { transactions: readonly { subCompanyId?: string }[] }) {
  return batch.transactions.map(({ subCompanyId }) => subCompanyId);
}

async function balanceOf(service: TestService, { accessToken: token }: TestCompany) {
  return (await service.call("GET", "/v1/balance", { token })).body.balance;
}

async function makeSubCompany(service: TestService, { accessToken: token }: TestCompany) {
  const body = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  return (await service.call("POST", "/v1/sub-companies", { token, body })).body.id;
}

/** The balance and the references that were there before, newest first, and no other; no batch without rows. */
async function expectNothingWritten(
  service: TestService,
  company: TestCompany,
  balance = 1_000_000,
  references: readonly string[] = [],
) {
  const { accessToken: token } = company;
  const { data } = (await service.call("GET", "/v1/transactions", { token })).body;
  const batches = (await service.call("GET", "/v1/batches", { token })).body.data;
  expect(data.map(({ reference }: { reference: string }) => reference)).toEqual(references);
  expect(batches.map(({ id }: { id: string }) => id)).toEqual([
    ...new Set(data.flatMap(({ batchId }: { batchId?: string }) => batchId ?? [])),
  ]);
  expect(await balanceOf(service, company)).toBe(balance);
}
