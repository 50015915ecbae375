import { describe, expect } from "vitest";
import {
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";

const path = "/v1/transactions";
const success = "2250700000000";

describe("GET /v1/transactions", () => {
  test("200, 401: no rows; no token", async ({ service, company }) => {
    const { status, body } = await list(service, company);

    expect(status).toBe(200);
    expect(body).toStrictEqual({
      count: 0,
      limit: 15,
      cursor: { prev: null, next: null },
      data: [],
    });
    expect((await service.call("GET", path)).status).toBe(401);
    expect((await service.call("GET", `${path}?limit=0`)).status).toBe(401);
  });

  test("200: newest first, 15 a page; forward to the end and back again, the same pages", async ({
    db,
    company,
  }) => {
    await withService(db, "api", async (service) => {
      const references = await createBatch(service, company, 35);
      const pages = [await list(service, company)];
      for (const place of [0, 1])
        pages.push(await list(service, company, `cursor=${pages[place]?.body.cursor.next}`));

      expect(pages.map(({ body }) => [body.count, body.limit])).toEqual([
        [15, 15],
        [15, 15],
        [5, 15],
      ]);
      expect(pages.flatMap(({ body }) => referencesIn(body))).toEqual(references.toReversed());
      expect(pages[0]?.body.cursor.prev).toBeNull();
      expect(pages[2]?.body.cursor.next).toBeNull();
      const [first] = pages[1]?.body.data ?? [];
      const { body: one } = await service.call("GET", `${path}/${first.id}`, {
        token: company.accessToken,
      });
      expect(first).toStrictEqual(one);

      const middle = await list(service, company, `cursor=${pages[2]?.body.cursor.prev}`);
      expect(middle.body).toEqual(pages[1]?.body);
      const start = await list(service, company, `cursor=${middle.body.cursor.prev}`);
      expect(start.body).toEqual(pages[0]?.body);
    });
  });

  test("200: rows added while pages are read shift nothing, and stand before them afterwards", async ({
    service,
    company,
  }) => {
    const before = await createBatch(service, company, 7, "old");
    const seen: string[] = [];
    let { body } = await list(service, company, "limit=2");
    for (let round = 0; body.cursor.next !== null; round += 1) {
      seen.push(...referencesIn(body));
      await createBatch(service, company, 3, `new ${round}`);
      ({ body } = await list(service, company, `limit=2&cursor=${body.cursor.next}`));
    }
    seen.push(...referencesIn(body));

    expect(seen).toEqual(before.toReversed());
    const back: string[] = [];
    while (body.cursor.prev !== null) {
      ({ body } = await list(service, company, `limit=2&cursor=${body.cursor.prev}`));
      back.unshift(...referencesIn(body));
    }
    expect(back).toHaveLength(9 + 6);
    expect(back.slice(0, 3)).toEqual(["new 2-2", "new 2-1", "new 2-0"]);
    expect(back.slice(9)).toEqual(before.toReversed().slice(0, 6));
  });

  test("200: limit 1, 100 and a last page that is exactly full", async ({ service, company }) => {
    const references = await createBatch(service, company, 101);
    const one = await list(service, company, "limit=1");
    expect(one.body).toMatchObject({ count: 1, limit: 1, cursor: { prev: null } });
    expect(referencesIn(one.body)).toEqual(references.slice(-1));

    const hundred = await list(service, company, "limit=100");
    expect([hundred.body.count, hundred.body.limit]).toEqual([100, 100]);
    const rest = await list(service, company, `limit=100&cursor=${hundred.body.cursor.next}`);
    expect([rest.body.count, rest.body.cursor.next]).toEqual([1, null]);
    const full = await list(service, company, `limit=100&cursor=${one.body.cursor.next}`);
    expect([full.body.count, full.body.cursor.next]).toEqual([100, null]);
  });

  test("400: a bad limit, filter or cursor, another company's cursor, a parameter given twice", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database);
    await createBatch(service, other, 2);
    const foreign = await list(service, other, "limit=1");
    await createBatch(service, company, 3);
    const { body } = await list(service, company, "limit=1");
    const cursor: string = body.cursor.next;
    const queries = [
      ...["0", "101", "-1", "1.5", "1000000000000", "ten", "", "null", "NaN", "1;2"].map(
        (limit) => `limit=${limit}`,
      ),
      ...["", "x", "null", "%00", "0", cursor.slice(1), `${cursor}A`, "A".repeat(2_000)].map(
        (wrong) => `cursor=${wrong}`,
      ),
      ...["", "done", "PENDING", "pending,failed"].map((status) => `status=${status}`),
      ...["", "07", "abc", "%2B%2B2250700000000", "1234567890123456"].map(
        (msisdn) => `msisdn=${msisdn}`,
      ),
      ...["", "yesterday", "2026-13-01", "2026-01-32", "2026-01-01T25:00:00Z", "0", "%00"].flatMap(
        (moment) => [`createdFrom=${moment}`, `createdTo=${moment}`],
      ),
      `reference=${"r".repeat(256)}`,
      "limit=5&limit=5",
      `cursor=${foreign.body.cursor.next}`,
      `cursor=${cursor}&cursor=${cursor}`,
      "reference=a&reference=b",
      "status=pending&status=failed",
      `msisdn=${success}&msisdn=${success}`,
      "batchId=a&batchId=b",
      "subCompanyId=a&subCompanyId=b",
      "createdFrom=2020-01-01&createdFrom=2020-01-01",
      "createdTo=2020-01-01&createdTo=2020-01-01",
    ];
    const answers: string[] = [];
    for (const query of queries)
      answers.push(`${query}: ${(await list(service, company, query)).status}`);
    expect(answers).toEqual(queries.map((query) => `${query}: 400`));
  });

  test("400: the cursor of another list", async ({ service, company }) => {
    for (const name of ["one", "two"]) await createBatch(service, company, 1, name);
    const { body: batches } = await service.call("GET", "/v1/batches?limit=1", {
      token: company.accessToken,
    });

    const { status, body } = await list(service, company, `cursor=${batches.cursor.next}`);
    expect([status, body.code]).toEqual([400, "invalid_cursor"]);
  });
});

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", query === "" ? path : `${path}?${query}`, { token });
}

/** So many rows at once, in the order of the references returned. */
async function createBatch(
  service: TestService,
  { accessToken: token }: TestCompany,
  count: number,
  name = "r",
): Promise<string[]> {
  const references = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const row = { amount: 5_000, msisdn: success };
  const body = { transactions: references.map((reference) => ({ ...row, reference })) };
  expect((await service.call("POST", `${path}/batch`, { token, body })).status).toBe(201);
  return references;
}

function referencesIn(body: { data: readonly { reference: string }[] }): string[] {
  return body.data.map(({ reference }) => reference);
}

async function withService(
  db: TestDatabase,
  roles: string,
  work: (service: TestService) => Promise<unknown>,
): Promise<void> {
  const service = await startService(db, { ROLES: roles });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}
