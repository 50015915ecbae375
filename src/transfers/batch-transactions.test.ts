import { describe, expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const [person, nobody] = ["2250700000000", "2250700000001"];

async function send(service: TestService, { accessToken: token }: TestCompany, count: number) {
  const transactions = Array.from({ length: count }, (_, index) => ({
    type: "transfer",
    amount: 5_000 + index,
    msisdn: index % 5 === 4 ? nobody : person,
    reference: `row ${index}`,
  }));
  const answer = await service.call("POST", "/v1/transactions/batch", {
    token,
    body: { transactions },
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe("GET /v1/batches/:id/transactions", () => {
  test("200: all of a batch by pages, or those in one state; the batch tells how much was paid and how much failed", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const batch = await send(service, company, 25);
    expect(batch).toMatchObject({ completedAmount: 0, failedAmount: 0 });
    await untilSettled(db.database);
    const read = async (query: string) =>
      (await service.call("GET", `/v1/batches/${batch.id}/transactions?${query}`, { token })).body;

    const references: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await read(`limit=10${cursor}`);
      references.push(...page.data.map((row: { reference: string }) => row.reference));
      if (page.cursor.next === null) break;
      cursor = `&cursor=${page.cursor.next}`;
    }
    expect(references).toEqual(Array.from({ length: 25 }, (_, index) => `row ${24 - index}`));
    const failed = await read("status=failed&limit=100");
    expect(failed.data.map((row: { amount: number }) => row.amount)).toEqual([
      5_024, 5_019, 5_014, 5_009, 5_004,
    ]);
    const { body } = await service.call("GET", `/v1/batches/${batch.id}`, { token });
    expect(body).toMatchObject({ failedAmount: 25_070, completedAmount: 100_230, failedCount: 5 });
    expect(body.completedAmount + body.failedAmount).toBe(body.totalAmount);
    expect(body.transactions).toHaveLength(25);
    expect(body).not.toHaveProperty("transactionsTruncated");
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("404: no such batch, or another company's", async ({ db, service, company }) => {
    const other = await makeCompany(db.database);
    const batch = await send(service, company, 1);
    for (const [id, { accessToken: token }] of [
      [batch.id, other],
      ["bat_nonsense", company],
    ] as const) {
      const answer = await service.call("GET", `/v1/batches/${id}/transactions`, { token });
      expect([answer.status, answer.body.code]).toEqual([404, "batch_not_found"]);
    }
  });

  test("200: a batch of more than a thousand shows the first thousand, and says so", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, { fund: 100_000_000 });
    const batch = await send(service, company, 1_001);
    expect(batch.transactions).toHaveLength(1_001);

    const { body } = await service.call("GET", `/v1/batches/${batch.id}`, {
      token: company.accessToken,
    });
    expect([body.count, body.transactions.length, body.transactionsTruncated]).toEqual([
      1_001,
      1_000,
      true,
    ]);
    expect(body.transactions.at(-1).reference).toBe("row 999");
  });
});

test("402: the answer says what there is, what is needed and what is missing, in both languages", async ({
  db,
  service,
}) => {
  const { accessToken: token } = await makeCompany(db.database, {
    fund: 4_000,
    transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
  });
  const body = { type: "transfer", amount: 5_000, msisdn: person, reference: "dear" };
  const english = await service.call("POST", "/v1/transactions", { token, body });
  const french = await service.call("POST", "/v1/transactions", {
    token,
    body,
    headers: { "accept-language": "fr" },
  });

  expect(english.status).toBe(402);
  expect(english.body.message).toContain(
    "holds 4000 francs, and amount and fee come to 5050: 1050 francs are missing",
  );
  expect(french.body.message).toContain("il manque 1050 francs");
});
