import { describe, expect } from "vitest";
import { makeCompany, type TestCompany, type TestService, test } from "../../test/fixtures.ts";

const path = "/v1/transactions/batch";
const row = (reference: string, more: object = {}) => ({
  amount: 5_000,
  msisdn: "2250700000000",
  reference,
  ...more,
});

const badRows: readonly unknown[] = [
  row("amount below the company's bounds", { amount: 4_999 }),
  row("amount above the company's bounds", { amount: 500_001 }),
  row("amount of another type", { amount: "5000" }),
  row("phone number", { msisdn: "07" }),
  row(""),
  row("type", { type: "payment" }),
  row("metadata", { metadata: { pad: "x".repeat(17 * 1024) } }),
  {},
  null,
  "transfer",
];

describe("POST /v1/transactions/batch", () => {
  test("400: 37 bad rows of 100, each kind of bad, are all named by index; nothing is written", async ({
    service,
    company,
  }) => {
    const transactions: unknown[] = Array.from({ length: 100 }, (_, index) => row(`r${index}`));
    const bad = Array.from({ length: 37 }, (_, index) => index * 2 + 3);
    for (const [kind, index] of bad.entries()) transactions[index] = badRows[kind % badRows.length];
    const { status, body } = await create(service, company, { transactions });

    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(indexesOf(body)).toEqual(bad);
    await expectNothingWritten(service, company);
  });

  test("400: of 10 000 bad rows the first hundred problems are named, in a short answer without a word of theirs", async ({
    service,
    company,
  }) => {
    const secret = "do not repeat this";
    const long = secret.repeat(20);
    const kinds: readonly unknown[] = [
      {},
      null,
      secret,
      row(long, { amount: 1 }),
      row("a", { msisdn: secret }),
      row("b", { description: long.repeat(3), type: secret }),
      row("c", { metadata: secret, subCompanyId: long }),
    ];
    for (const kind of kinds) {
      const transactions = Array.from({ length: 10_000 }, () => kind);
      const { status, body } = await create(service, company, { transactions });

      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.details).toHaveLength(100);
      expect(indexesOf(body)[0]).toBe(0);
      expect(body.message).toMatch(/^At least \d+ of 10000 transactions/);
      const text = JSON.stringify(body);
      expect(text.length).toBeLessThan(64 * 1_024);
      expect(text).not.toContain(secret);
    }
    await expectNothingWritten(service, company);
  });

  test("400: far too many rows are counted, not looked at", async ({ service, company }) => {
    for (const text of [
      `{"transactions":[${"{},".repeat(339_999)}{}]}`,
      `{"transactions":[${"{},".repeat(10_000)}`,
    ]) {
      const { status, body } = await create(service, company, text);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.details).toEqual([expect.objectContaining({ field: "transactions" })]);
    }
  });

  test("409: of 10 000 used references a hundred are named, and all are counted", async ({
    db,
    service,
  }) => {
    const rich = await makeCompany(db.database, { fund: 100_000_000 });
    const transactions = Array.from({ length: 10_000 }, (_, index) => row(`"${index}`));
    expect((await create(service, rich, { transactions })).status).toBe(201);
    const { status, body } = await create(service, rich, { transactions });

    expect([status, body.code]).toEqual([409, "duplicate_reference"]);
    expect(body.message).toContain("10000");
    expect(body.details).toHaveLength(100);
    expect(body.details[0]).toMatchObject({ index: 0, id: expect.stringMatching(/^txn_/) });
  });

  test("400: no rows, 10 001 rows, no array, or a poisoned row", async ({ service, company }) => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`r${index}`));
    const bodies = [
      { transactions: [] },
      { transactions: rows(10_001) },
      {},
      { transactions: null },
      { transactions: row("a") },
      { transactions: "[]" },
      { transactions: { 0: row("a"), length: 1 } },
      { transactions: [row("a")], subCompanyId: 7 },
      [row("a")],
      "",
      '{"transactions":[{"__proto__":{"amount":5000}}]}',
    ];
    for (const body of bodies) {
      const answer = await create(service, company, body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
    }
    await expectNothingWritten(service, company);
  });

  test("401: without a token and with a wrong one", async ({ service, company }) => {
    const body = { transactions: [row("a")] };
    expect((await service.call("POST", path, { body })).status).toBe(401);
    const token = `at_${"x".repeat(43)}`;
    expect((await service.call("POST", path, { token, body })).status).toBe(401);
    await expectNothingWritten(service, company);
  });

  test("405, 413, 415: another method, far too much, not JSON", async ({ service, company }) => {
    const { accessToken: token } = company;
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, path, { token });
      expect([answer.status, answer.headers.get("allow")], method).toEqual([405, "POST"]);
    }
    const transactions = [row("a", { description: "x".repeat(17 * 1024 * 1024) })];
    const large = await create(service, company, { transactions });
    expect([large.status, large.body.code]).toEqual([413, "body_too_large"]);
    expect(large.body.message).toMatch(/^The body is larger than 16 MB, the most/);

    const headers = { "content-type": "text/csv" };
    const csv = await service.call("POST", path, { token, headers, body: "amount,msisdn" });
    expect([csv.status, csv.body.code]).toEqual([415, "unsupported_media_type"]);
  });
});

function create(service: TestService, company: TestCompany, body: unknown) {
  return service.call("POST", path, { token: company.accessToken, body });
}

function indexesOf(problem: { details: readonly { index: number }[] }): number[] {
  return [...new Set(problem.details.map(({ index }) => index))].toSorted((a, b) => a - b);
}

async function expectNothingWritten(service: TestService, { accessToken: token }: TestCompany) {
  for (const list of ["/v1/transactions", "/v1/batches"])
    expect((await service.call("GET", list, { token })).body.data).toEqual([]);
  expect((await service.call("GET", "/v1/balance", { token })).body.balance).toBe(1_000_000);
}
