import { describe, expect } from "vitest";
import {
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions";
const [success, failure] = ["2250700000000", "2250700000001"];

describe("GET /v1/transactions", () => {
  test("200: no rows", async ({ service, company }) => {
    const { status, body } = await list(service, company);

    expect(status).toBe(200);
    expect(body).toStrictEqual({
      count: 0,
      limit: 15,
      cursor: { prev: null, next: null },
      data: [],
    });
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

  test("200: every filter alone and combined", async ({ db, company }) => {
    await withService(db, "api", async (service) => {
      const { batchId, subCompanyId } = await makeRows(db, service, company);
      const expected: Record<string, readonly string[]> = {
        "reference=a": ["a"],
        "reference=A": [],
        "reference=%C3%A9%20%26%20%2B1%25": ["é & +1%"],
        "reference=%00": [],
        "status=completed": ["c", "a"],
        "status=failed": ["d", "é & +1%"],
        "status=pending": ["e"],
        [`msisdn=${success}`]: ["e", "c", "a"],
        [`msisdn=%2B${success}`]: ["e", "c", "a"],
        [`msisdn=+${success}`]: ["e", "c", "a"],
        "msisdn=22507000000": [],
        [`batchId=${batchId}`]: ["d", "c"],
        "batchId=bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6": [],
        [`subCompanyId=${subCompanyId}`]: ["e", "d", "c"],
        "subCompanyId=subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6": [],
        [`status=completed&subCompanyId=${subCompanyId}`]: ["c"],
        [`status=failed&batchId=${batchId}&msisdn=${failure}`]: ["d"],
        [`msisdn=${success}&subCompanyId=${subCompanyId}`]: ["e", "c"],
        "reference=a&status=failed": [],
        [`reference=c&status=completed&msisdn=${success}&batchId=${batchId}&subCompanyId=${subCompanyId}&createdFrom=2020-01-01&createdTo=2100-01-01`]:
          ["c"],
      };
      const found: Record<string, readonly string[]> = {};
      for (const query of Object.keys(expected))
        found[query] = referencesIn((await list(service, company, query)).body);
      expect(found).toEqual(expected);

      const first = await list(service, company, `limit=2&msisdn=${success}`);
      const next = `limit=2&msisdn=${success}&cursor=${first.body.cursor.next}`;
      const second = await list(service, company, next);
      expect([referencesIn(first.body), referencesIn(second.body)]).toEqual([["e", "c"], ["a"]]);
      expect(second.body.cursor.next).toBeNull();
    });
  });

  test("200: createdFrom and createdTo include their moment", async ({ service, company }) => {
    for (let index = 0; index < 6; index += 1) await create(service, company, `r${index}`);
    const all: readonly Row[] = (await list(service, company)).body.data;
    const times = all.map(({ createdAt }) => createdAt);
    const between = (from: string, to: string) =>
      all.filter(({ createdAt }) => createdAt >= from && createdAt <= to).map(reference);
    const [oldest, newest] = [String(times.at(-1)), String(times[0])];
    for (const [from, to] of [
      [oldest, newest],
      [times[3], times[1]],
      [times[2], times[2]],
      [newest, newest],
    ] as const) {
      const { body } = await list(service, company, `createdFrom=${from}&createdTo=${to}`);
      expect(referencesIn(body)).toEqual(between(String(from), String(to)));
    }
    const later = new Date(Date.parse(newest) + 1).toISOString();
    const earlier = new Date(Date.parse(oldest) - 1).toISOString();
    const expected: Record<string, number> = {
      [`createdFrom=${later}`]: 0,
      [`createdTo=${earlier}`]: 0,
      [`createdFrom=${newest}&createdTo=${earlier}`]: 0,
      [`createdFrom=${oldest.replace("Z", "+00:00")}`]: 6,
      [`createdFrom=${oldest.replace("Z", "%2B00:00")}`]: 6,
      "createdFrom=2020-02-29": 6,
      "createdTo=2020-02-29T23:59:59Z": 0,
      "createdFrom=0001-01-01T00:00:00.000Z&createdTo=9999-12-31T23:59:59.999Z": 6,
    };
    for (const [query, count] of Object.entries(expected))
      expect((await list(service, company, query)).body.count, query).toBe(count);
  });

  test("400: a bad limit, filter or cursor, and a parameter given twice", async ({
    service,
    company,
  }) => {
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

  test("400: a day that is not in the calendar", async ({ service, company }) => {
    for (const day of ["2026-02-30", "2026-02-29", "2026-04-31T00:00:00.000Z"])
      expect((await list(service, company, `createdFrom=${day}`)).status, day).toBe(400);
  });

  test("400: the cursor of another company, and of another list", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database);
    await createBatch(service, other, 2);
    for (const name of ["one", "two"]) await createBatch(service, company, 1, name);
    const foreign = await list(service, other, "limit=1");
    const { body: batches } = await service.call("GET", "/v1/batches?limit=1", {
      token: company.accessToken,
    });

    for (const cursor of [foreign.body.cursor.next, batches.cursor.next]) {
      const { status, body } = await list(service, company, `cursor=${cursor}`);
      expect([status, body.code]).toEqual([400, "invalid_cursor"]);
    }
  });

  test("401: without a token", async ({ service }) => {
    expect((await service.call("GET", path)).status).toBe(401);
    expect((await service.call("GET", `${path}?limit=0`)).status).toBe(401);
  });
});

interface Row {
  readonly reference: string;
  readonly createdAt: string;
}

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", query === "" ? path : `${path}?${query}`, { token });
}

function create(service: TestService, company: TestCompany, name: string, more: object = {}) {
  const body = { type: "transfer", amount: 5_000, msisdn: success, reference: name, ...more };
  return service.call("POST", path, { token: company.accessToken, body });
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
  const body = { transactions: references.map((one) => ({ ...row, reference: one })) };
  expect((await service.call("POST", `${path}/batch`, { token, body })).status).toBe(201);
  return references;
}

function reference(row: Row): string {
  return row.reference;
}

function referencesIn(body: { data: readonly Row[] }): string[] {
  return body.data.map(reference);
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

/** Two completed, two failed, and with no worker running any more one that stays pending. */
async function makeRows(db: TestDatabase, service: TestService, company: TestCompany) {
  const { accessToken: token } = company;
  const logo = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: logo });
  const subCompanyId: string = sub.body.id;
  await create(service, company, "a", { msisdn: `+${success}` });
  await create(service, company, "é & +1%", { msisdn: failure });
  const transactions = [
    { amount: 5_000, msisdn: success, reference: "c" },
    { amount: 5_000, msisdn: failure, reference: "d" },
  ];
  const body = { subCompanyId, transactions };
  const batch = await service.call("POST", `${path}/batch`, { token, body });
  await withService(db, "worker", () => untilSettled(db.database));
  await create(service, company, "e", { subCompanyId });
  const batchId: string = batch.body.id;
  return { batchId, subCompanyId };
}
